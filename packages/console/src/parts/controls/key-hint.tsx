/** A key of the keyboard. */
export function KeyHint({ children }: { readonly children: string }) {
  return <kbd className="kbd">{children}</kbd>;
}
