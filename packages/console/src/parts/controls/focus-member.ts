/** Puts the cursor into the field that fills in a member of a document, unfolding what it is in. */
export function focusMember(member: string): void {
  const place = document.querySelector(`[data-member="${CSS.escape(member)}"]`);
  place?.closest('details')?.setAttribute('open', '');
  place?.querySelector<HTMLElement>('input, textarea, button')?.focus();
}
