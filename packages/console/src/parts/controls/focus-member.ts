/** Puts the cursor into the field that fills in a member of a document, unfolding what it is in. */
export function focusMember(member: string): void {
  const place = document.querySelector(`[data-member="${CSS.escape(member)}"]`);
  place?.closest('details')?.setAttribute('open', '');
  place?.querySelector<HTMLElement>('input, textarea, button')?.focus();
}

/** Puts the cursor into the first field on the page that says that something is wrong with it. */
export function focusFirstWrong(): void {
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}
