/** The way out and in: prompt to the clipboard, JSON to and from a file. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { CopyIcon, ExportIcon, ImportIcon } from '../../design/icons';
import { IconButton } from '../frame/IconButton';
import { type Exchange, type Level, levels } from './exchange';
import type { Listing } from './listing';

const levelMeaning: Record<Level, string> = {
  brief: 'Brief: text, component and file',
  standard: 'Standard: with selector and snapshot',
  full: 'Full: everything known',
};

/** Remembers the level from one time to the next. */
const LEVEL = 'opentoolbar.panel.prompt-level';

export function rememberedLevel(): Level {
  return levels.find((level) => level === localStorage.getItem(LEVEL)) ?? 'standard';
}

interface Props {
  list: Listing;
  exchange: Exchange;
}

export function ExchangeBar({ list, exchange }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const level = useSignal(rememberedLevel());
  const counts = list.counts.value;
  const open = counts.active + counts.outdated;
  return (
    <footer class="exchange">
      <button
        type="button"
        class="button primary"
        data-testid="copy-prompt"
        disabled={open === 0}
        title={open === 0 ? 'No comment waits for work' : 'Copy as prompt (C)'}
        onClick={() => exchange.copyPrompt(level.value)}
      >
        <CopyIcon />
        Copy as Prompt
      </button>
      <select
        class="input"
        aria-label="How much the prompt says"
        title={levelMeaning[level.value]}
        data-testid="prompt-level"
        value={level}
        onChange={(event) => {
          const chosen = levels.find((candidate) => candidate === event.currentTarget.value);
          if (!chosen) return;
          level.value = chosen;
          localStorage.setItem(LEVEL, chosen);
        }}
      >
        {levels.map((name) => (
          <option key={name} value={name} title={levelMeaning[name]}>
            {name[0]?.toUpperCase() + name.slice(1)}
          </option>
        ))}
      </select>
      <span class="space" />
      <IconButton
        label="Export as JSON"
        testId="export-json"
        disabled={counts.all === 0}
        onClick={() => exchange.exportJson()}
      >
        <ExportIcon />
      </IconButton>
      <IconButton label="Import from JSON" testId="import-json" onClick={() => picker.current?.click()}>
        <ImportIcon />
      </IconButton>
      <input
        ref={picker}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="File to import"
        accept="application/json,.json"
        data-testid="import-file"
        onChange={async (event) => {
          const input = event.currentTarget;
          const file = input.files?.[0];
          if (file) await exchange.importJson(file);
          // The same file chosen again is a new import.
          input.value = '';
        }}
      />
    </footer>
  );
}
