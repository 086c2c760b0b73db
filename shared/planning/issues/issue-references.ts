import type { ContainerKind } from '../../core/container.js';

/** The project or group that an issue is looked at from. */
export interface SeenFrom {
  readonly kind: ContainerKind;
  readonly full_path: string;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * How an issue of a project is named elsewhere: `#5` in the project itself, `project#5` in its namespace,
 * `group/project#5` from farther away, and from nowhere in particular.
 */
export function referenceFrom(from: SeenFrom | undefined, fullPath: string, iid: number): string {
  if (!from) return `${fullPath}#${iid}`;
  if (from.kind === 'project' && from.full_path === fullPath) return `#${iid}`;
  const namespace = from.kind === 'project' ? parentOf(from.full_path) : from.full_path;
  return parentOf(fullPath) === namespace ? `${nameOf(fullPath)}#${iid}` : `${fullPath}#${iid}`;
}
