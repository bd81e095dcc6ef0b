/** A small button that shows only an icon; its name is its label and its tooltip. */
import type { ComponentChildren } from 'preact';

export interface IconButtonProps {
  /** What it does, as a name: `Delete comment 3`. */
  label: string;
  /** Tooltip when it should say more than the label, such as the key. */
  title?: string;
  testId?: string;
  danger?: boolean;
  disabled?: boolean;
  expanded?: boolean;
  onClick(): void;
  children: ComponentChildren;
}

export function IconButton(props: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${props.danger ? 'danger' : ''}`}
      aria-label={props.label}
      title={props.title ?? props.label}
      data-testid={props.testId}
      disabled={props.disabled}
      aria-expanded={props.expanded}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}
