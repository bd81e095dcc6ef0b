/** The two links page -> host -> agent, what waits, what was refused, and what to do about it. */
import { useSignal } from '@preact/signals';
import { CollapsedIcon, CopyIcon, ExpandedIcon, FolderIcon } from '../../design/icons';
import type { Connection } from '../../messages';
import type { Workbench } from '../workbench';
import { Command } from './Command';
import { IconButton } from './IconButton';
import { LightShape } from './LightShape';
import { agentLight, hubLight, type Light, waitingSentence } from './lights';
import { ProjectChooser } from './ProjectChooser';

/** Remembers that the person has read the advice and wants the room. */
const FOLDED = 'opentoolbar.panel.advice-folded';

function LightWord({ name, testId, light }: { name: string; testId: string; light: Light }) {
  return (
    <span class="light" data-testid={testId} data-state={light.state} title={light.sentence}>
      <LightShape state={light.state} />
      <span class="muted">{name}</span>
      <span class="light-word">{light.word}</span>
      <span class="hidden">{light.sentence}</span>
    </span>
  );
}

function Advice({ bench, connection, light }: { bench: Workbench; connection: Connection; light: Light }) {
  const next = light.next;
  return (
    <div class="advice">
      <p>{light.sentence}</p>
      {next?.kind === 'run' && <Command bench={bench} command={next.command} />}
      {next && next.kind !== 'choose_project' && (
        <button type="button" class="button small" onClick={() => bench.checkConnection()}>
          {next.kind === 'run' ? next.afterwards : next.label}
        </button>
      )}
      {next?.kind === 'choose_project' && <ProjectChooser bench={bench} connection={connection} />}
    </div>
  );
}

export function ConnectionStrip({ bench }: { bench: Workbench }) {
  const folded = useSignal(localStorage.getItem(FOLDED) === 'yes');
  const choosing = useSignal(false);
  const state = bench.tab.state.value;
  if (!state) return null;
  const { connection } = state;
  const hub = hubLight(connection);
  const agent = agentLight(connection, bench.now.value);
  const broken = [hub, agent].filter((light) => light.state === 'broken');
  const waiting = waitingSentence(connection);
  const { project } = connection;
  const fold = () => {
    folded.value = !folded.value;
    localStorage.setItem(FOLDED, folded.value ? 'yes' : 'no');
  };
  return (
    <section class="connection" aria-label="Connection">
      <div class="lights">
        <LightWord name="Host" testId="connection-hub" light={hub} />
        <LightWord name="Agent" testId="connection-agent" light={agent} />
        {project && connection.hub === 'connected' && (
          <button
            type="button"
            class="button quiet small project"
            title={`${project.root}\n${connection.projectReason}`}
            aria-label={`Project ${project.name}: change`}
            aria-expanded={choosing.value}
            data-testid="project"
            onClick={() => {
              choosing.value = !choosing.value;
            }}
          >
            <FolderIcon size={14} />
            <span class="ellipsis">{project.name}</span>
          </button>
        )}
        {broken.length > 0 && (
          <IconButton
            label={folded.value ? 'Show what to do' : 'Hide what to do'}
            expanded={!folded.value}
            onClick={fold}
          >
            {folded.value ? <CollapsedIcon /> : <ExpandedIcon />}
          </IconButton>
        )}
      </div>
      {!folded.value &&
        broken.map((light) => (
          <Advice key={light.word} bench={bench} connection={connection} light={light} />
        ))}
      {project && choosing.value && (
        <div class="advice">
          <p>
            Comments of this site go to <code>{project.root}</code>: {connection.projectReason}
          </p>
          <ProjectChooser
            bench={bench}
            connection={connection}
            onDone={() => {
              choosing.value = false;
            }}
          />
        </div>
      )}
      {state.otherProjects.map(({ root, comments }) => (
        <p key={root} class="advice muted" data-testid="other-project">
          {comments === 1 ? '1 more comment' : `${comments} more comments`} of this site{' '}
          {comments === 1 ? 'belongs' : 'belong'} to <code>{root}</code>. Choose that project to see{' '}
          {comments === 1 ? 'it' : 'them'}.
        </p>
      ))}
      {waiting && (
        <p class="advice muted" data-testid="waiting">
          {waiting}
        </p>
      )}
      {connection.problems.length > 0 && <Problems bench={bench} problems={connection.problems} />}
    </section>
  );
}

/** What was refused for good. The text in it is the only copy left, so it stays until the person is done with it. */
function Problems({ bench, problems }: { bench: Workbench; problems: readonly string[] }) {
  return (
    <div class="problems">
      <ul aria-label="Refused changes">
        {problems.map((problem) => (
          <li key={problem} data-testid="problem">
            <span>{problem}</span>
            <IconButton label="Copy this text" onClick={() => bench.copyText(problem, 'the text')}>
              <CopyIcon size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="button small"
        data-testid="dismiss-problems"
        onClick={() => bench.dismissProblems()}
      >
        Dismiss
      </button>
    </div>
  );
}
