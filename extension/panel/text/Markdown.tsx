/**
 * Markdown of a reply. The parser comes only when there is one to show, and writes no raw HTML and no dangerous
 * addresses. Images are left out: loading one would tell a stranger that it was read.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

type ToHtml = (markdown: string) => string;

/** Once it is here nothing waits for it: what is drawn again does not flicker. */
let toHtml: ToHtml | undefined;

async function loadParser(): Promise<ToHtml> {
  const [{ micromark }, { gfmTable, gfmTableHtml }] = await Promise.all([
    import('micromark'),
    // Agents write tables.
    import('micromark-extension-gfm-table'),
  ]);
  const options = {
    extensions: [gfmTable(), { disable: { null: ['labelStartImage'] } }],
    htmlExtensions: [gfmTableHtml()],
  };
  toHtml = (markdown) => micromark(markdown, options);
  return toHtml;
}

interface Props {
  text: string;
  /** Opens a link that was clicked. */
  openLink: (url: string) => void;
}

export function Markdown({ text, openLink }: Props) {
  const parser = useSignal(toHtml);
  useEffect(() => {
    if (parser.value) return;
    let current = true;
    loadParser().then(
      (loaded) => {
        if (current) parser.value = loaded;
      },
      () => {
        // The plain text stays, which is all of it.
      },
    );
    return () => {
      current = false;
    };
  }, [parser]);
  const parse = parser.value;
  const html = useMemo(() => parse?.(text), [parse, text]);
  if (html === undefined) return <div class="markdown plain">{text}</div>;
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    // Following it here would replace the panel.
    event.preventDefault();
    if (/^https?:/.test(link.href)) openLink(link.href);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is clicked are the links inside; this redirects them
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click event too
    <div
      class="markdown"
      onClick={onClick}
      // Safe: micromark without allowDangerousHtml escapes all HTML
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
