/** What was selected: a small picture of it, what it is, and where it comes from. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { PickIcon, SourceIcon } from '../../design/icons';
import type { ChatContext } from '../../state/chat';
import type { Chat } from './chat';
import { contextLabel } from './words';

export function ContextChip({
  chat,
  context,
  children,
}: {
  chat: Chat;
  context: ChatContext;
  /** Stands at its end. */
  children?: ComponentChildren;
}) {
  const picture = useSignal<string | null>(null);
  const isLarge = useSignal(false);
  const { id, pictured } = context;
  useEffect(() => {
    if (!pictured) return;
    let current = true;
    void chat.picture(id).then((url) => {
      if (current) picture.value = url;
    });
    return () => {
      current = false;
    };
  }, [chat, id, pictured, picture]);
  const { element, component, place, shortPlace } = contextLabel(context);
  return (
    <div class={`selection ${isLarge.value ? 'large' : ''}`} data-testid={`context-${id}`}>
      {picture.value ? (
        <button
          type="button"
          class="thumbnail"
          aria-expanded={isLarge.value}
          aria-label={`Picture of ${element}: ${isLarge.value ? 'make smaller' : 'enlarge'}`}
          onClick={() => {
            isLarge.value = !isLarge.value;
          }}
        >
          <img src={picture.value} alt="" />
        </button>
      ) : (
        <span class={`thumbnail empty-thumbnail ${pictured ? '' : 'none'}`}>
          <PickIcon size={14} />
        </span>
      )}
      <span class="selection-words">
        <span class="ellipsis" title={element}>
          {element}
        </span>
        {(component || place) && (
          <span class="source" title={[component, place].filter(Boolean).join('\n')}>
            <SourceIcon size={12} />
            <span class="mono ellipsis">{[component, shortPlace].filter(Boolean).join(' · ')}</span>
          </span>
        )}
      </span>
      {children}
    </div>
  );
}
