/** Comments leaving and entering as text: the prompt on the clipboard, JSON files out and in. */
import type { Notices } from '../notices/notices';
import type { Platform } from '../platform/platform';
import { exportFileName, pageAddress } from '../tab/page-address';
import type { WatchedTab } from '../tab/tab';
import { inScope, type Scope } from './list';
import { promptTokens } from './prompt-size';

export type Level = 'brief' | 'standard' | 'full';
export const levels: readonly Level[] = ['brief', 'standard', 'full'];

/** A file above this is not an export of ours; reading it would only freeze the panel. Bytes. */
const MAX_IMPORT = 64 * 1024 * 1024;

function counted(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}

export class Exchange {
  constructor(
    private readonly platform: Platform,
    private readonly tab: WatchedTab,
    private readonly notices: Notices,
    private readonly scope: () => Scope,
  ) {}

  async copyPrompt(level: Level): Promise<void> {
    await this.#attempt(async (tabId, pathname, comments) => {
      const prompt = await this.platform.ask('export_prompt', { tabId, level, ...pathname });
      await this.platform.copy(prompt);
      const open = comments.filter(({ status }) => status !== 'resolved').length;
      const tokens = promptTokens(prompt).toLocaleString('en');
      this.notices.done(`Copied ${counted(open)} as a ${level} prompt, about ${tokens} tokens.`);
    });
  }

  async exportJson(): Promise<void> {
    await this.#attempt(async (tabId, pathname, comments, url) => {
      const json = await this.platform.ask('export_json', { tabId, ...pathname });
      const name = exportFileName(pageAddress(url), pathname.pathname, this.platform.now());
      this.platform.download(name, json);
      this.notices.done(`Saved ${counted(comments.length)} to ${name}.`);
    });
  }

  async importJson(file: File): Promise<void> {
    await this.#attempt(async (tabId) => {
      if (file.size > MAX_IMPORT) {
        throw new Error(
          `${file.name} is larger than 64 MiB, so it is no export of opentoolbar. Choose another file.`,
        );
      }
      const json = await file.text();
      const { added, updated, skipped, full } = await this.platform.ask('import_comments', { tabId, json });
      const skip = skipped > 0 ? `, ${skipped} skipped because a same or newer one is here` : '';
      const left = full > 0 ? `, ${full} left as they were because they have no room for more` : '';
      this.notices.done(`Imported ${file.name}: ${added} added, ${updated} updated${skip}${left}.`);
    });
  }

  async #attempt(
    work: (
      tabId: number,
      pathname: { pathname?: string },
      comments: ReturnType<typeof inScope>,
      url: string,
    ) => Promise<void>,
  ): Promise<void> {
    const state = this.tab.state.peek();
    if (!state) return;
    const path = pageAddress(state.url).pathname;
    const scope = this.scope();
    try {
      await work(
        state.tabId,
        scope === 'page' ? { pathname: path } : {},
        inScope(state.comments, scope, path),
        state.url,
      );
    } catch (error) {
      this.notices.failed(error);
    }
  }
}
