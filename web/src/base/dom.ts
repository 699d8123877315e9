// Creates elements without parsing HTML and without style attributes, as the content security policy requires; documents
// cannot inject markup. To set a single style property use element.style.x = value.

export type Child = Node | string | number | null | undefined | false | readonly Child[];

type Listener = (event: Event) => void;
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | Listener>>;

const svgSpace = "http://www.w3.org/2000/svg";

// `onclick: f` adds a listener; `true` is an empty attribute; false, null and undefined are omitted.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes?: Attributes | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes?: Attributes | null,
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgSpace, tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

export function replaceChildren(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

// Unique within the page; for label/for, aria-controls and similar.
export function freshId(stem: string): string {
  freshIds += 1;
  return `${stem}-${freshIds}`;
}
let freshIds = 0;

function setAttributes(element: Element, attributes: Attributes | null | undefined): void {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "style") throw new Error("style attributes violate the content security policy");
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (child instanceof Node) parent.append(child);
    else if (typeof child === "object") append(parent, child);
    else parent.append(String(child));
  }
}
