/** The token, broken in two: our mark, and what stands where nothing is. */
export function TokenGlyph({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path fill="currentColor" d="M10.9 2.1A9.9 9.9 0 0 0 10 21.7L8.6 17l4-3.7-3.9-3.9z" />
      <path fill="currentColor" opacity=".55" d="M13.6 2.6a9.9 9.9 0 0 1-.9 19.5l-1.5-4.6 4.1-4.3-4-3.9z" />
    </svg>
  );
}
