/** Custom properties in `style`, which React sets one by one: no style attribute is ever written as text. */
import 'react';

declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
