/**
 * What goes wrong in drawing one part of the panel costs that part alone: a sentence and a button stand in its place,
 * the rest stays of use.
 */
import { Component, type ComponentChildren } from 'preact';
import { CopyIcon, RetryIcon, WarningIcon } from '../../design/icons';
import { IconButton } from './IconButton';

/** What can be done about a part that is not shown. */
export interface Repair {
  /** Tries anew what the panel is drawn from. */
  retry(): void;
  copyReason(reason: string): void;
}

interface Props {
  repair: Repair;
  /** What is not shown when it fails, as the beginning of a sentence: `The comments`. */
  what: string;
  /** Another value means that it is worth another try. */
  of?: unknown;
  children: ComponentChildren;
}

interface State {
  failure?: unknown;
  of?: unknown;
}

export class Boundary extends Component<Props, State> {
  override state: State = {};

  static override getDerivedStateFromError(failure: unknown): State {
    return { failure: failure ?? new Error('unknown') };
  }

  static override getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return state.of === of ? null : { of, failure: undefined };
  }

  override componentDidCatch(failure: unknown): void {
    console.error(`opentoolbar: ${this.props.what} could not be shown:`, failure);
  }

  override render({ repair, what, children }: Props, { failure }: State) {
    if (failure === undefined) return children;
    const why = failure instanceof Error ? failure.message : String(failure);
    return (
      <div class="failed-part" role="alert" data-testid="failed-part">
        <WarningIcon />
        <p>{what} can’t be shown. Nothing is lost. Reload; if this stays, copy the reason and report it.</p>
        <IconButton label="Copy the reason" onClick={() => repair.copyReason(`${what}: ${why}`)}>
          <CopyIcon size={14} />
        </IconButton>
        <button
          type="button"
          class="button small"
          data-testid="reload-part"
          onClick={() => {
            this.setState({ failure: undefined });
            repair.retry();
          }}
        >
          <RetryIcon size={14} />
          Reload
        </button>
      </div>
    );
  }
}
