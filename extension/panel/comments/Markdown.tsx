/**
 * Markdown of a reply. The parser comes only when there is one to show, and writes no raw HTML and no dangerous
 * addresses. Images are left out: loading one would tell a stranger that it was read.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Workbench } from '../workbench';

async function toHtml(markdown: string): Promise<string> {
  const { micromark } = await import('micromark');
  return micromark(markdown, { extensions: [{ disable: { null: ['labelStartImage'] } }] });
}

export function Markdown({ bench, text }: { bench: Workbench; text: string }) {
  const html = useSignal<string | null>(null);
  useEffect(() => {
    let current = true;
    toHtml(text).then(
      (result) => {
        if (current) html.value = result;
      },
      () => {
        // The plain text stays, which is all of it.
      },
    );
    return () => {
      current = false;
    };
  }, [text, html]);
  if (html.value === null) return <div class="markdown plain">{text}</div>;
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    // Following it here would replace the panel.
    event.preventDefault();
    if (/^https?:/.test(link.href)) bench.platform.openLink(link.href);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is clicked; this only redirects them
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click event too
    <div
      class="markdown"
      onClick={onClick}
      // Safe: micromark without allowDangerousHtml escapes all HTML
      dangerouslySetInnerHTML={{ __html: html.value }}
    />
  );
}
