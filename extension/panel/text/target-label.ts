/** One element in a few words. Pure. */
import type { Target } from '../../generated/Target';

export interface TargetLabel {
  /** `button "Save changes"`: role or tag, then the accessible name or text. */
  element: string;
  /** `SaveBar`. */
  component?: string;
  /** `src/components/SaveBar.tsx:42`, or `src/components/SaveBar.tsx (line not known)`. */
  place?: string;
  /** The place's last path component with the line, for narrow panels: `SaveBar.tsx:42`. */
  shortPlace?: string;
}

const MAX_NAME = 60;

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : text;
}

export function targetLabel({ snapshot }: Target): TargetLabel {
  const kind = snapshot.role ?? snapshot.tag;
  const name = snapshot.name || snapshot.ownText || snapshot.text;
  const label: TargetLabel = { element: name ? `${kind} “${shortened(name)}”` : kind };
  if (!name && snapshot.id) label.element = `${kind}#${snapshot.id}`;
  if (snapshot.component) label.component = snapshot.component;
  if (snapshot.source) {
    const line = snapshot.source.line === undefined ? '' : `:${snapshot.source.line}`;
    label.place = snapshot.source.file + (line || ' (line not known)');
    label.shortPlace = (snapshot.source.file.split(/[\\/]/).at(-1) ?? '') + line;
  }
  return label;
}
