/**
 * Colours of a chart, from the tokens of the look. A canvas cannot read them, so they are read where the style sheet puts
 * them: on the element around it, as its text, its ground, its edge and its outline.
 */
export interface ChartColours {
  readonly series: string;
  readonly fill: string;
  readonly grid: string;
  readonly axis: string;
}

export function chartColours(element: HTMLElement): ChartColours {
  const { color, backgroundColor, borderTopColor, outlineColor } = getComputedStyle(element);
  return { series: color, fill: backgroundColor, grid: borderTopColor, axis: outlineColor };
}
