/** Vue 3 (`__vueParentComponent`) and Vue 2 (`__vue__`): the component an element belongs to and its `__file`. */
import type { ProbeFacts } from '../../generated/ProbeFacts';
import { get, nameOfFile, text } from './value';

export function fromVue(element: Element): ProbeFacts | null {
  const type = get(get(element, '__vueParentComponent'), 'type');
  const options = type ?? get(get(element, '__vue__'), '$options');
  if (!options) return null;
  const file = text(get(options, '__file'));
  const component =
    text(get(options, 'name')) ??
    text(get(options, '__name')) ??
    text(get(options, '_componentTag')) ??
    nameOfFile(file);
  if (!file && !component) return null;
  return { framework: 'vue', ...(file ? { file } : {}), ...(component ? { component } : {}) };
}
