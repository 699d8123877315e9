// A grid without a lone element in its last row: the number of columns follows from the width and the number of visible
// elements. If a lone element cannot be avoided, it fills the row.

const grids = new WeakMap<Element, Grid>();
const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => arrange(target)));
const changed = new MutationObserver((records) => new Set(records.map(({ target }) => gridOf(target))).forEach((grid) => grid && arrange(grid)));

interface Grid {
  minWidth: number;
  maxWidth: string;
}

// `minWidth` and `maxWidth` are widths of an element in rem; default: no max width. The grid adapts when elements are
// added, removed, hidden or shown.
export function balancedGrid<E extends HTMLElement>(element: E, minWidth: number, maxWidth?: number): E {
  element.classList.add("balanced-grid");
  grids.set(element, { minWidth, maxWidth: maxWidth === undefined ? "1fr" : `${maxWidth}rem` });
  resized.observe(element);
  changed.observe(element, { childList: true });
  for (const child of element.children) changed.observe(child, { attributes: true, attributeFilter: ["hidden"] });
  return element;
}

function gridOf(target: Node): Element | null {
  if (!(target instanceof Element)) return null;
  return grids.has(target) ? target : target.parentElement;
}

function arrange(element: Element): void {
  const grid = grids.get(element);
  if (grid === undefined || !(element instanceof HTMLElement) || element.clientWidth === 0) return;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const gap = parseFloat(getComputedStyle(element).columnGap) || 0;
  const fitting = Math.max(1, Math.floor((element.clientWidth + gap) / (grid.minWidth * rem + gap)));
  const count = [...element.children].filter((child) => !(child as HTMLElement).hidden).length;
  const columns = columnsFor(count, fitting);
  element.classList.toggle("lone-last", columns > 1 && count > columns && count % columns === 1);
  const template = `repeat(${columns}, minmax(0, ${grid.maxWidth}))`;
  if (element.style.gridTemplateColumns === template) return;
  element.style.gridTemplateColumns = template;
  element.style.setProperty("--columns", String(columns));
}

// At most `fitting` columns for `count` elements. Prefers full rows, then rows of similar length without a single element
// in the last row; both use at least 60 % of the columns that fit.
export function columnsFor(count: number, fitting: number): number {
  if (count <= fitting) return Math.max(1, count);
  const balanced = Math.ceil(count / Math.ceil(count / fitting));
  const candidates = Array.from({ length: fitting }, (_, index) => fitting - index).filter((columns) => columns > 1 && columns >= fitting * 0.6);
  return candidates.find((columns) => count % columns === 0)
    ?? candidates.find((columns) => columns <= balanced && count % columns !== 1)
    ?? balanced;
}
