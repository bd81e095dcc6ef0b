/** For agents that speak HTTP: the button that saves their configuration, and how it is to be kept. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ConfigFile, FILE, type Saved } from './config-file';

export function ConfigFileSection({ file }: { file: ConfigFile }) {
  const saved = file.saved.value;
  const answer = useRef<HTMLDivElement>(null);
  // The button stands at the end of the view, and what became of it below.
  useLayoutEffect(() => {
    if (saved) answer.current?.scrollIntoView?.({ block: 'nearest' });
  }, [saved]);
  return (
    <section class="config-file" aria-labelledby="config-file-title" data-testid="config-file">
      <h2 id="config-file-title">Agents over HTTP</h2>
      <p class="muted">A program that speaks HTTP finds ports, endpoints and its token in one file.</p>
      <button
        type="button"
        class="button small"
        data-testid="download-config"
        aria-disabled={file.isBusy.value}
        onClick={() => void file.download()}
      >
        Download config
      </button>
      {/* There from the start, so that a screen reader hears what comes into it. */}
      <div role="status" data-testid="config-saved" ref={answer}>
        {saved && <Words saved={saved} />}
      </div>
    </section>
  );
}

function Words({ saved }: { saved: Saved }) {
  switch (saved.kind) {
    case 'token':
      return (
        <p>
          Saved as <code>{FILE}</code>. It holds the token: whoever reads it can act as your agents do. Keep
          it readable by you alone (<code>chmod 600</code>), and out of repositories, logs and chats.
        </p>
      );
    case 'no token':
      return (
        <p>
          Saved as <code>{FILE}</code>, without the token: this browser came in by pairing.{' '}
          <code>opentoolbar config</code> prints it on the machine where opentoolbar runs.
        </p>
      );
    case 'failed':
      return <p class="error">{saved.why}</p>;
  }
}
