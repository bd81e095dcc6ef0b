/**
 * The site has a project, and no agent works there: that it may belong to another one is offered in small, below what
 * is more likely to help.
 */
import { useSignal } from '@preact/signals';
import { CollapsedIcon, FolderIcon } from '../../design/icons';
import type { Project } from '../../generated/Project';
import type { ProjectChooserProps } from './ProjectChooser';
import { otherProjects, ProjectChooser, useChoice } from './ProjectChooser';

export function OtherProjects({ link, connection }: ProjectChooserProps) {
  const typing = useSignal(false);
  const { choose, error, saving } = useChoice(link);
  if (typing.value) return <ProjectChooser link={link} connection={connection} />;
  const others = otherProjects(connection);
  const names = [connection.project, ...others].map((project) => project?.name);
  /** Of two that are called alike the folder. */
  const called = ({ name, root }: Project) => (names.filter((one) => one === name).length > 1 ? root : name);
  return (
    <div class="chooser other-projects">
      <ul aria-label="Other projects">
        {others.map((project) => (
          <li key={project.root}>
            <button
              type="button"
              class="button quiet small"
              title={`Comments of this site go to ${project.root} from now on`}
              data-testid="use-project"
              disabled={saving.value}
              onClick={() => choose(project.root)}
            >
              <FolderIcon size={14} />
              <span class="ellipsis">Use {called(project)} for this site</span>
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            class="button quiet small"
            title="Choose by the path of its folder"
            data-testid="other-folder"
            onClick={() => {
              typing.value = true;
            }}
          >
            <CollapsedIcon size={14} />
            <span class="ellipsis">Another folder…</span>
          </button>
        </li>
      </ul>
      {error.value && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
