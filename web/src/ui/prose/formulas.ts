/** Draws the formulas of a page. Its own module, because KaTeX and its fonts are wanted on few pages. */
import 'katex/dist/katex.min.css';

import { render } from 'katex';

export function drawFormulas(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-formula]')) {
    const source = element.dataset['source'] ?? element.textContent ?? '';
    // Drawn twice under StrictMode: the source must not be read back from the drawing.
    element.dataset['source'] = source;
    const display = 'display' in element.dataset;
    if (display) {
      // A wide formula scrolls inside itself, also by keyboard.
      element.tabIndex = 0;
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', '公式');
    }
    render(source, element, { displayMode: display, throwOnError: false, output: 'htmlAndMathml' });
  }
}
