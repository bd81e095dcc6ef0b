/** Messages above the lower edge: what was done, with Undo; what failed, until it is closed. */
import { CloseIcon, UndoIcon, WarningIcon } from '../../design/icons';
import type { Notice, Notices } from '../notices/notices';
import type { Step } from '../notices/undo';
import { IconButton } from './IconButton';

interface Props {
  notices: Notices;
  /** Takes a step back. */
  undo: (step: Step) => void;
}

function NoticeLine({ notices, undo, notice, newestStep }: Props & { notice: Notice; newestStep: boolean }) {
  const { step } = notice;
  return (
    <div
      class={`message ${notice.failed ? 'failed' : ''}`}
      onPointerEnter={() => notices.hold(notice.id)}
      onPointerLeave={() => notices.release(notice.id)}
      onFocusIn={() => notices.hold(notice.id)}
      onFocusOut={() => notices.release(notice.id)}
    >
      {notice.failed && <WarningIcon />}
      <span>{notice.text}</span>
      {step && (
        <button
          type="button"
          class="button small"
          data-testid={newestStep ? 'undo' : undefined}
          title={newestStep ? 'Undo (Ctrl+Z)' : undefined}
          onClick={() => undo(step)}
        >
          <UndoIcon size={14} />
          Undo
        </button>
      )}
      <IconButton label="Close message" onClick={() => notices.close(notice.id)}>
        <CloseIcon size={14} />
      </IconButton>
    </div>
  );
}

export function NoticeList({ notices, undo }: Props) {
  const shown = notices.shown.value;
  const newest = shown.findLast((notice) => notice.step)?.id;
  return (
    <div class="messages" role="log" aria-label="Messages" aria-live="polite">
      {shown.map((notice) => (
        <NoticeLine
          key={notice.id}
          notices={notices}
          undo={undo}
          notice={notice}
          newestStep={notice.id === newest}
        />
      ))}
    </div>
  );
}
