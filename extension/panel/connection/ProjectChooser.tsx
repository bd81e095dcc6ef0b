/** Lets the person say which directory this site belongs to. */
import { useSignal } from '@preact/signals';
import type { Project } from '../../generated/Project';
import type { Connection } from '../../state/connection';
import { asSentence } from '../notices/notices';
import type { HostLink } from './host-link';

export interface ProjectChooserProps {
  link: HostLink;
  connection: Connection;
  onDone?: () => void;
}

/** Projects that are known beside the site's own: those that the host thinks of, and those that agents work in. */
export function otherProjects({ choices, elsewhere, project }: Connection): Project[] {
  const known = [...choices, ...elsewhere.map((agent) => agent.project)];
  const byRoot = new Map(known.map((one) => [one.root, one]));
  return [...byRoot.values()].filter(({ root }) => root !== project?.root);
}

/** Says of the site whose it is; `error`: why that was refused. */
export function useChoice(link: HostLink, onDone?: () => void) {
  const error = useSignal('');
  const saving = useSignal(false);
  const choose = async (root: string) => {
    if (saving.value) return;
    if (root === '') {
      error.value = 'Type the full path of the project’s folder first.';
      return;
    }
    saving.value = true;
    error.value = '';
    try {
      await link.setProject(root);
      onDone?.();
    } catch (failure) {
      error.value = asSentence(failure);
    }
    saving.value = false;
  };
  return { choose, error, saving };
}

export function ProjectChooser({ link, connection, onDone }: ProjectChooserProps) {
  const path = useSignal('');
  const { choose, error, saving } = useChoice(link, onDone);
  const others = otherProjects(connection);
  return (
    <div class="chooser">
      {others.length > 0 && (
        <ul aria-label="Known projects">
          {others.map((project) => (
            <li key={project.root}>
              <button
                type="button"
                class="choice"
                disabled={saving.value}
                onClick={() => choose(project.root)}
              >
                <span>{project.name}</span>
                <span class="mono muted ellipsis">{project.root}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void choose(path.value.trim());
        }}
      >
        <input
          class="input mono"
          aria-label="Path of the project’s folder"
          placeholder="Path of the project’s folder"
          data-testid="project-path"
          value={path}
          aria-invalid={error.value !== ''}
          onInput={(event) => {
            path.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button small" disabled={saving.value}>
          Use
        </button>
      </form>
      {error.value && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
