/**
 * Reads of the page's own nodes that the page cannot answer in the browser's place. A form gives the field of that name
 * for any property: `form.parentNode` is its `<input name="parentNode">`, in a content script too. The prototypes' own
 * getters do not. A document's `<img name="defaultView">` is seen by the page's own scripts alone, as browsers are now;
 * nothing here relies on that (`dom.test.ts`).
 */

function getter<N extends Node, V>(owner: object, name: string): (node: N) => V {
  const get = Object.getOwnPropertyDescriptor(owner, name)?.get;
  if (!get) return (node) => (node as unknown as Record<string, V>)[name] as V;
  return (node) => Reflect.apply(get, node, []) as V;
}

type Method = (...args: never[]) => unknown;

function method<M extends Method>(
  owner: object,
  name: string,
): (node: Node, ...args: Parameters<M>) => ReturnType<M> {
  const call = (owner as Record<string, Method>)[name] as Method;
  return (node, ...args) => Reflect.apply(call, node, args) as ReturnType<M>;
}

const none = {};
// Imported where there is no page as well: by tests of what needs none.
const ofNode = globalThis.Node?.prototype ?? none;
const ofElement = globalThis.Element?.prototype ?? none;
const ofDocument = globalThis.Document?.prototype ?? none;

export const nodeTypeOf = getter<Node, number>(ofNode, 'nodeType');
export const parentNodeOf = getter<Node, Node | null>(ofNode, 'parentNode');
export const parentElementOf = getter<Node, Element | null>(ofNode, 'parentElement');
export const ownerDocumentOf = getter<Node, Document>(ofNode, 'ownerDocument');
export const textContentOf = getter<Node, string | null>(ofNode, 'textContent');
export const isConnected = getter<Node, boolean>(ofNode, 'isConnected');
export const childNodesOf = getter<Node, NodeListOf<ChildNode>>(ofNode, 'childNodes');
export const firstChildOf = getter<Node, ChildNode | null>(ofNode, 'firstChild');
export const nextSiblingOf = getter<Node, ChildNode | null>(ofNode, 'nextSibling');
export const rootNodeOf = method<Node['getRootNode']>(ofNode, 'getRootNode');
export const contains = method<Node['contains']>(ofNode, 'contains');

/** The window that shows a document; null when none does. */
export const viewOf = getter<Document, (Window & typeof globalThis) | null>(ofDocument, 'defaultView');

export const localNameOf = getter<Element, string>(ofElement, 'localName');
export const namespaceOf = getter<Element, string | null>(ofElement, 'namespaceURI');
export const tagNameOf = getter<Element, string>(ofElement, 'tagName');
export const idOf = getter<Element, string>(ofElement, 'id');
export const classListOf = getter<Element, DOMTokenList>(ofElement, 'classList');
export const attributesOf = getter<Element, NamedNodeMap>(ofElement, 'attributes');
/** The open one. */
export const shadowRootOf = getter<Element, ShadowRoot | null>(ofElement, 'shadowRoot');
/** In an open shadow root. */
export const assignedSlotOf = getter<Element, HTMLSlotElement | null>(ofElement, 'assignedSlot');
export const childElementsOf = getter<Element, HTMLCollection>(ofElement, 'children');
export const childElementCountOf = getter<Element, number>(ofElement, 'childElementCount');
export const nextElementOf = getter<Element, Element | null>(ofElement, 'nextElementSibling');
export const previousElementOf = getter<Element, Element | null>(ofElement, 'previousElementSibling');
export const boxOf = method<Element['getBoundingClientRect']>(ofElement, 'getBoundingClientRect');
export const attributeOf = method<Element['getAttribute']>(ofElement, 'getAttribute');
export const hasAttribute = method<Element['hasAttribute']>(ofElement, 'hasAttribute');
export const matches = method<(selectors: string) => boolean>(ofElement, 'matches');
export const closest = method<(selectors: string) => Element | null>(ofElement, 'closest');
export const scrollBy = method<(options: ScrollToOptions) => void>(ofElement, 'scrollBy');
export const scrollTo = method<(options: ScrollToOptions) => void>(ofElement, 'scrollTo');
export const scrollIntoView = method<Element['scrollIntoView']>(ofElement, 'scrollIntoView');
const select = method<(selectors: string) => NodeListOf<Element>>(ofElement, 'querySelectorAll');
export const selectIn = (scope: Document | ShadowRoot | Element, css: string): NodeListOf<Element> =>
  nodeTypeOf(scope) === 1 ? select(scope, css) : (scope as Document | ShadowRoot).querySelectorAll(css);

export const dispatch = method<EventTarget['dispatchEvent']>(
  globalThis.EventTarget?.prototype ?? none,
  'dispatchEvent',
);

const number = (name: string) => getter<Element, number>(ofElement, name);
export const scrollLeftOf = number('scrollLeft');
export const scrollTopOf = number('scrollTop');
export const scrollWidthOf = number('scrollWidth');
export const scrollHeightOf = number('scrollHeight');
export const clientWidthOf = number('clientWidth');
export const clientHeightOf = number('clientHeight');

/** The field that a `label` is of. */
export const controlOf = getter<Element, Element | null>(
  globalThis.HTMLLabelElement?.prototype ?? none,
  'control',
);
/** The beginning of a text node, without the rest. */
export const beginningOfText = method<CharacterData['substringData']>(
  globalThis.CharacterData?.prototype ?? none,
  'substringData',
);

const isEditableHtml = getter<HTMLElement, boolean>(
  globalThis.HTMLElement?.prototype ?? none,
  'isContentEditable',
);
/** Whether a person types into it, whatever kind of element it is. */
export const isEditable = (element: Element): boolean => {
  try {
    return isEditableHtml(element as HTMLElement) === true;
  } catch {
    // SVG and the like.
    return false;
  }
};
