import type { ContainerKind } from '../../core/operations/container.js';

/** The project or group that an issue is looked at from. */
export interface ReferenceBase {
  readonly kind: ContainerKind;
  readonly full_path: string;
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * How an issue or merge request of a project is named elsewhere, by its number with its sign: `#5` in the project itself, `project#5` in its namespace,
 * `group/project#5` from farther away, and from nowhere in particular.
 */
export function referenceFrom(from: ReferenceBase | undefined, fullPath: string, number: string): string {
  if (!from) return `${fullPath}${number}`;
  if (from.kind === 'project' && from.full_path === fullPath) return number;
  const namespace = from.kind === 'project' ? parentOf(from.full_path) : from.full_path;
  return parentOf(fullPath) === namespace ? `${nameOf(fullPath)}${number}` : `${fullPath}${number}`;
}
