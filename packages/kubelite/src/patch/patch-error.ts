/** A patch that cannot be applied. `wellFormed` is false when the patch itself makes no sense (400 rather than 422). */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly wellFormed: boolean;

  constructor(message: string, wellFormed: boolean) {
    super(message);
    this.wellFormed = wellFormed;
  }
}
