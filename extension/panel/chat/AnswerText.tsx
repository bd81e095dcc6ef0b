/** An agent's words in blocks: a finished block is drawn once, however much comes after it. */
import { Component } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ChatMessage } from '../../messages';
import { Markdown } from '../comments/Markdown';
import type { Workbench } from '../workbench';
import { blocksOf, codeOf } from './blocks';
import { CodeBlock } from './CodeBlock';

/** A block that grows beyond this is shown as it is written until it ends: parsing it with every frame would be felt. */
const LONG_OPEN_BLOCK = 8_192;

interface BlockProps {
  bench: Workbench;
  text: string;
  isOpen: boolean;
}

class Block extends Component<BlockProps> {
  override shouldComponentUpdate({ text, isOpen }: BlockProps): boolean {
    const isLong = text.length > LONG_OPEN_BLOCK;
    return text !== this.props.text || (isLong && isOpen !== this.props.isOpen);
  }

  override render() {
    const { bench, text, isOpen } = this.props;
    if (codeOf(text)) return <CodeBlock bench={bench} block={text} />;
    if (isOpen && text.length > LONG_OPEN_BLOCK) return <div class="markdown plain">{text}</div>;
    return <Markdown bench={bench} text={text} />;
  }
}

export function AnswerText({ bench, message }: { bench: Workbench; message: ChatMessage }) {
  const growing = bench.chat.blocks(message.id)?.value;
  const whole = useMemo(
    () => (message.isComplete ? blocksOf(message.content) : []),
    [message.isComplete, message.content],
  );
  const blocks = message.isComplete ? whole : (growing ?? whole);
  return (
    <div class="answer" data-testid={`answer-${message.id}`}>
      {blocks.map((text, at) => (
        // Blocks only come behind one another.
        <Block key={at} bench={bench} text={text} isOpen={!message.isComplete && at === blocks.length - 1} />
      ))}
    </div>
  );
}
