/** The panel's page: side panel, sidebar, or a tab of its own (`?tabId=N` shows that tab whatever is active). */
import { render } from 'preact';
import '../../panel/styles';
import { Panel } from '../../panel/Panel';
import { browserPlatform } from '../../panel/platform/browser-platform';
import { Workbench } from '../../panel/workbench';

const asked = Number.parseInt(new URLSearchParams(location.search).get('tabId') ?? '', 10);
const bench = new Workbench(browserPlatform(Number.isNaN(asked) ? undefined : asked));
const root = document.getElementById('root');
if (root) render(<Panel bench={bench} />, root);
addEventListener('pagehide', () => bench.end());
