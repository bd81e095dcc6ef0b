/** Lets the person say which directory this site belongs to. */
import { useSignal } from '@preact/signals';
import type { Connection } from '../../state/connection';
import { asSentence } from '../notices/notices';
import type { HostLink } from './host-link';

export interface ProjectChooserProps {
  link: HostLink;
  connection: Connection;
  onDone?: () => void;
}

export function ProjectChooser({ link, connection, onDone }: ProjectChooserProps) {
  const path = useSignal('');
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
  const known = [...connection.choices, ...connection.elsewhere.map(({ project }) => project)];
  const others = [...new Map(known.map((project) => [project.root, project])).values()].filter(
    ({ root }) => root !== connection.project?.root,
  );
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
