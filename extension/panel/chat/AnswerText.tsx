/** An agent's words in blocks: a finished block is drawn once, however much comes after it. */
import { Component } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ChatMessage } from '../../state/chat';
import { Markdown } from '../text/Markdown';
import { blocksOf, codeOf } from './blocks';
import { CodeBlock } from './CodeBlock';
import type { Chat } from './chat';

/**
 * A block that grows beyond this is shown as it is written until it ends: parsing it with every frame would be felt.
 */
const LONG_OPEN_BLOCK = 8_192;

interface BlockProps {
  chat: Chat;
  text: string;
  isOpen: boolean;
}

class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ text, isOpen }: BlockProps): boolean {
    const isLong = text.length > LONG_OPEN_BLOCK;
    return text !== this.props.text || (isLong && isOpen !== this.props.isOpen);
  }

  override render() {
    const { chat, text, isOpen } = this.props;
    if (codeOf(text)) return <CodeBlock clipboard={chat.clipboard} block={text} />;
    if (isOpen && text.length > LONG_OPEN_BLOCK) return <div class="markdown plain">{text}</div>;
    return <Markdown openLink={chat.openLink} text={text} />;
  }
}

/** Blocks that are looked at together: of a long answer only the last group is compared and laid out anew. */
const GROUP = 32;

interface GroupProps {
  chat: Chat;
  blocks: readonly string[];
  /** Whether its last block still grows. */
  isOpen: boolean;
}

class Group extends Component<GroupProps> {
  override shouldComponentUpdate({ blocks, isOpen }: GroupProps): boolean {
    const { blocks: before, isOpen: wasOpen } = this.props;
    return (
      isOpen !== wasOpen || blocks.length !== before.length || blocks.some((text, at) => text !== before[at])
    );
  }

  override render() {
    const { chat, blocks, isOpen } = this.props;
    return (
      <div class="blocks">
        {blocks.map((text, at) => (
          // Blocks only come behind one another.
          <Block key={at} chat={chat} text={text} isOpen={isOpen && at === blocks.length - 1} />
        ))}
      </div>
    );
  }
}

export function AnswerText({ chat, message }: { chat: Chat; message: ChatMessage }) {
  const growing = chat.blocks(message.id)?.value;
  const whole = useMemo(
    () => (message.isComplete ? blocksOf(message.content) : []),
    [message.isComplete, message.content],
  );
  const blocks = message.isComplete ? whole : (growing ?? whole);
  const groups = Array.from({ length: Math.ceil(blocks.length / GROUP) }, (_, at) =>
    blocks.slice(at * GROUP, (at + 1) * GROUP),
  );
  return (
    <div class="answer" data-testid={`answer-${message.id}`}>
      {groups.map((group, at) => (
        <Group key={at} chat={chat} blocks={group} isOpen={!message.isComplete && at === groups.length - 1} />
      ))}
    </div>
  );
}
