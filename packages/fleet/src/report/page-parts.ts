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

/** How the page looks: light or dark as the reader's system is, and fit for paper. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --quiet: #5b6570; --line: #d5dae0; --panel: #f5f7f9;
  --well: #1a7f37; --unchanged: #7fb98f; --wrong: #c62828; --unreachable: #b26a00; --undone: #8250df;
  --active: #0b66c3; --untouched: #b8c0c9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e3e8ee; --quiet: #98a3af; --line: #333b44; --panel: #1c2229;
    --well: #3fb950; --unchanged: #2d6b3c; --wrong: #f85149; --unreachable: #d99a2b; --undone: #a371f7;
    --active: #58a6ff; --untouched: #4a535d;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p { margin: .3rem 0; } .quiet { color: var(--quiet); }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem; overflow-x: auto; }
.counts { display: flex; flex-wrap: wrap; gap: .6rem; list-style: none; padding: 0; margin: 1rem 0 0; }
.counts li { background: var(--panel); border: 1px solid var(--line); border-left: 4px solid var(--state); border-radius: 6px;
  padding: .4rem .9rem; min-width: 6.5rem; }
.counts b { display: block; font-size: 1.4rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.grid { display: flex; flex-wrap: wrap; gap: 2px; }
.grid span { width: 12px; height: 12px; border-radius: 2px; background: var(--state); }
.waves { display: grid; grid-template-columns: max-content 1fr max-content; gap: .4rem .8rem; align-items: center; }
.track { background: var(--panel); border-radius: 4px; height: 1rem; position: relative; }
.track i { position: absolute; top: 0; bottom: 0; min-width: 3px; border-radius: 4px; background: var(--active); }
.group { border: 1px solid var(--line); border-left: 4px solid var(--wrong); border-radius: 6px; padding: .6rem .9rem;
  margin: .6rem 0; overflow-wrap: anywhere; }
details { margin: .3rem 0; } summary { cursor: pointer; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 600; } .number { text-align: right; white-space: nowrap; } .name { white-space: nowrap; }
td.what { overflow-wrap: anywhere; min-width: 16rem; } .command { display: block; color: var(--quiet); }
.state { white-space: nowrap; } .state::before { content: ''; display: inline-block; width: .7em; height: .7em; border-radius: 2px;
  background: var(--state); margin-right: .45em; }
.s-done { --state: var(--well); } .s-unchanged { --state: var(--unchanged); } .s-failed { --state: var(--wrong); }
.s-unreachable { --state: var(--unreachable); } .s-rolled-back { --state: var(--undone); }
.s-held, .s-waiting { --state: var(--untouched); }
.s-surveying, .s-delivering, .s-executing, .s-proving, .s-retrying, .s-rolling-back { --state: var(--active); }
.filter { display: flex; gap: .6rem; margin: 0 0 .6rem; } .filter[hidden], tr[hidden] { display: none; }
.filter input, .filter select { font: inherit; padding: .3rem .5rem; color: inherit; background: var(--panel);
  border: 1px solid var(--line); border-radius: 6px; }
@media print { body { max-width: none; padding: 0; } .filter { display: none; } * { print-color-adjust: exact; } }
`;
