/** The only thing that needs JavaScript: without it the table is whole, and there is no filter to see. */
export const PAGE_SCRIPT = `
const form = document.querySelector('.filter');
const rows = [...document.querySelectorAll('tbody tr')];
form.hidden = false;
form.addEventListener('input', () => {
  const text = form.elements.text.value.toLowerCase();
  const state = form.elements.state.value;
  for (const row of rows) {
    row.hidden = (state !== '' && row.dataset.state !== state) || !row.textContent.toLowerCase().includes(text);
  }
});
form.addEventListener('submit', (event) => event.preventDefault());
`;
