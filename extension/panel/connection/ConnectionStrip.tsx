/** The two links page -> host -> agent, what waits, what was refused, and what to do about it. */
import { CollapsedIcon, CopyIcon, DeleteIcon, ExpandedIcon, FolderIcon, RetryIcon } from '../../design/icons';
import type { Connection, RefusedChange } from '../../state/connection';
import { Command } from '../frame/Command';
import { IconButton } from '../frame/IconButton';
import type { HostLink } from './host-link';
import { LightShape } from './LightShape';
import {
  agentLight,
  FIX,
  hasAdvice,
  hubLight,
  LISTEN,
  type Light,
  type NextStep,
  waitingSentence,
} from './lights';
import { OfferNotice } from './OfferNotice';
import { OtherProjects } from './OtherProjects';
import { ProjectChooser } from './ProjectChooser';
import { PairedButton } from './pairing/PairedButton';
import { Sentence } from './Sentence';

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

function Advice({ link, connection, light }: { link: HostLink; connection: Connection; light: Light }) {
  const next = light.next;
  return (
    <div class="advice" data-testid={`advice-${next?.kind ?? 'none'}`}>
      <p>
        <Sentence text={light.sentence} />
      </p>
      {next && <Help link={link} connection={connection} next={next} />}
    </div>
  );
}

/** The button that helps. */
function Help({ link, connection, next }: { link: HostLink; connection: Connection; next: NextStep }) {
  const button = (label: string, act: () => void) => (
    <button type="button" class="button small" data-testid="advice-button" onClick={act}>
      {label}
    </button>
  );
  switch (next.kind) {
    case 'retry':
      return button(next.label, () => link.checkConnection());
    case 'run':
      return (
        <>
          <Command clipboard={link.clipboard} command={next.command} />
          {button(next.afterwards, () => link.checkConnection())}
        </>
      );
    case 'tell':
      return <Command clipboard={link.clipboard} command={link.isInChat.value ? LISTEN : FIX} />;
    case 'attach_page':
      return button(next.label, () => link.attachPage());
    case 'reload_page':
      return button(next.label, () => link.reloadPage());
    case 'choose_project':
      return next.isOption ? (
        <OtherProjects link={link} connection={connection} />
      ) : (
        <ProjectChooser link={link} connection={connection} />
      );
  }
}

function lightsWithAdvice(link: HostLink, connection: Connection): Light[] {
  return [hubLight(connection), agentLight(connection, link.clock.now.value)].filter(hasAdvice);
}

/** One line, as high before anything is known as later: what is below it never moves. */
export function ConnectionStrip({ link }: { link: HostLink }) {
  const state = link.tab.state.value;
  if (!state) return <div class="connection lights" aria-hidden="true" />;
  const { connection } = state;
  const { project } = connection;
  const folded = link.adviceFolded.value;
  return (
    <section class="connection lights" aria-label="Connection">
      <LightWord name="Host" testId="connection-hub" light={hubLight(connection)} />
      <LightWord
        name="Agent"
        testId="connection-agent"
        light={agentLight(connection, link.clock.now.value)}
      />
      <PairedButton pairing={link.pairing} connection={connection} />
      {project && connection.hub === 'connected' && (
        <button
          type="button"
          class="button quiet small project"
          title={`${project.root}\n${connection.projectReason}`}
          aria-label={`Project ${project.name}: change`}
          aria-expanded={link.choosingProject.value}
          data-testid="project"
          onClick={() => {
            link.choosingProject.value = !link.choosingProject.value;
          }}
        >
          <FolderIcon size={14} />
          <span class="ellipsis">{project.name}</span>
        </button>
      )}
      {lightsWithAdvice(link, connection).length > 0 && (
        <IconButton
          label={folded ? 'Show what to do' : 'Hide what to do'}
          expanded={!folded}
          onClick={() => link.foldAdvice()}
        >
          {folded ? <CollapsedIcon /> : <ExpandedIcon />}
        </IconButton>
      )}
    </section>
  );
}

/**
 * What to do about the connection, what waits and what was refused. Stands below the comments: it comes and goes while
 * the panel is looked at, and nothing above it moves away from the pointer.
 */
export function ConnectionAdvice({ link }: { link: HostLink }) {
  const state = link.tab.state.value;
  if (!state?.allowed) return null;
  const { connection } = state;
  const { project } = connection;
  const advised = link.adviceFolded.value ? [] : lightsWithAdvice(link, connection);
  // One that is on its way would come and go here.
  const isOnItsWay =
    (connection.hub === 'connected' || connection.hub === 'checking') && connection.delayed === undefined;
  const waiting = isOnItsWay && !link.waitsLong.value ? '' : waitingSentence(connection);
  const choosing = project !== undefined && link.choosingProject.value;
  const { length } = connection.problems;
  const { delayed, unreadable } = connection;
  const lines =
    advised.length + state.offers.length + state.otherProjects.length + length + unreadable.length;
  if (lines === 0 && !choosing && !waiting) return null;
  return (
    <section class="connection details" aria-label="About the connection">
      {advised.map((light) => (
        <Advice key={light.word} link={link} connection={connection} light={light} />
      ))}
      {project && choosing && (
        <div class="advice">
          <p>
            Comments of this site go to <code>{project.root}</code>: {connection.projectReason}
          </p>
          <ProjectChooser
            link={link}
            connection={connection}
            onDone={() => {
              link.choosingProject.value = false;
            }}
          />
        </div>
      )}
      {/* Before what only informs: the text in it is nowhere else. */}
      {length > 0 && <Problems link={link} problems={connection.problems} />}
      {state.offers.map((offer) => (
        <OfferNotice key={offer.id} link={link} offer={offer} />
      ))}
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
      {waiting && delayed !== undefined && connection.hub === 'connected' && (
        <div class="advice" data-testid="delayed">
          <p>The host can’t save a change yet: {delayed} It will be retried.</p>
          <button
            type="button"
            class="button small"
            data-testid="deliver-now"
            onClick={() => link.deliverNow()}
          >
            Try now
          </button>
        </div>
      )}
      {unreadable.map((sentence) => (
        <p key={sentence} class="advice muted" data-testid="unreadable">
          {sentence}
        </p>
      ))}
    </section>
  );
}

/** What was refused for good. The text in it is the only copy left, so it stays until the person is done with it. */
function Problems({ link, problems }: { link: HostLink; problems: readonly RefusedChange[] }) {
  return (
    <div class="problems">
      <ul aria-label="Changes that were not sent">
        {problems.map(({ seq, sentence, text, canRetry }) => (
          <li key={seq} data-testid="problem">
            <span>{sentence}</span>
            {canRetry && (
              <IconButton label="Send this again" onClick={() => link.retryProblem(seq)}>
                <RetryIcon size={14} />
              </IconButton>
            )}
            <IconButton label="Copy this text" onClick={() => link.clipboard.copyText(text, 'the text')}>
              <CopyIcon size={14} />
            </IconButton>
            <IconButton label="Discard this change" onClick={() => link.discardProblem(seq)}>
              <DeleteIcon size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {problems.length > 1 && (
        <button
          type="button"
          class="button small"
          data-testid="dismiss-problems"
          onClick={() => link.dismissProblems()}
        >
          Discard all
        </button>
      )}
    </div>
  );
}
