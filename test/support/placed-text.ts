/** Where a text stands on the page of a verified answer. */
import type { Page } from 'playwright-core';

/** Where the first character of a text stands, in the value of an answer at this place. */
export const leftOf = (page: Page, place: number, text: string): Promise<number> =>
  page.evaluate(`(() => {
    const value = document.querySelectorAll('.result-halves .b .got')[${place}];
    const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf(${JSON.stringify(text)});
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      return range.getBoundingClientRect().left;
    }
    throw new Error('no such text');
  })()`);
