// Plot adds a <style> to each SVG. It is removed, because the content security policy forbids inline styles. charts.css
// has the same rules for the page; this text is for exported files.

export const plotClass = "ergon-plot";

export const plotStyle = `:where(.${plotClass}) {
  --plot-background: white;
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
}
:where(.${plotClass} text),
:where(.${plotClass} tspan) {
  white-space: pre;
}`;

export function withoutStyle<E extends Element>(element: E): E {
  for (const style of element.querySelectorAll("style")) style.remove();
  return element;
}
