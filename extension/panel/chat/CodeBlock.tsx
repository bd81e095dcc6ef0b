/**
 * A fence: its language, its code, and a button that copies it. Long code is drawn in pieces, of which only the last
 * one changes.
 */
import { Component } from 'preact';
import { useMemo } from 'preact/hooks';
import { CopyIcon } from '../../design/icons';
import { IconButton } from '../frame/IconButton';
import type { Clipboard } from '../notices/clipboard';
import { codeOf } from './blocks';

/** Characters of a piece, at least; it ends with a line. */
const PIECE = 4_096;

function pieces(code: string): string[] {
  const all: string[] = [];
  let start = 0;
  while (code.length - start > PIECE) {
    const end = code.indexOf('\n', start + PIECE) + 1;
    if (end === 0) break;
    all.push(code.slice(start, end));
    start = end;
  }
  all.push(code.slice(start));
  return all;
}

class Piece extends Component<{ text: string }> {
  override shouldComponentUpdate(next: { text: string }): boolean {
    return next.text !== this.props.text;
  }

  override render() {
    return <span class="piece">{this.props.text}</span>;
  }
}

export function CodeBlock({ clipboard, block }: { clipboard: Clipboard; block: string }) {
  const { language, code } = useMemo(() => codeOf(block), [block]) ?? { language: '', code: block };
  return (
    <figure class="code" data-testid="code">
      <figcaption>
        <span class="mono muted ellipsis">{language || 'code'}</span>
        <IconButton
          label="Copy this code"
          testId="copy-code"
          onClick={() => clipboard.copyText(code, 'the code')}
        >
          <CopyIcon size={14} />
        </IconButton>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {pieces(code).map((text, at) => (
            <Piece key={at} text={text} />
          ))}
        </code>
      </pre>
    </figure>
  );
}
