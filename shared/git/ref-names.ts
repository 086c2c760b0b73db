// Control characters, space and the characters that mean something in revision syntax.
// oxlint-disable-next-line no-control-regex
const forbiddenCharacters = /[\x00-\x20\x7f~^:?*[\\]/;

// A file name holds 255 bytes, and git needs room for ".lock".
const longestComponent = 250;
const longestName = 1024;

/** Whether git would accept this full ref name (`refs/heads/main`): the rules of `git check-ref-format`. */
export function isValidRefName(name: string): boolean {
  if (forbiddenCharacters.test(name) || name.includes('..') || name.includes('@{') || name.endsWith('.')) return false;
  const components = name.split('/');
  return components.length > 1 && components.every(isValidComponent);
}

function isValidComponent(component: string): boolean {
  return component !== '' && !component.startsWith('.') && !component.endsWith('.lock');
}

/**
 * Whether a branch or tag with this full name (`refs/heads/main`) is accepted: the one rule for all sources, be it the
 * API, an import, a mirror or a fork. Stricter than git: never an option (`-x`), `HEAD`, a name that looks like a full
 * ref or a commit id and would be resolved as such, nor one too long for a file name.
 */
export function mayComeIn(fullName: string): boolean {
  const [, name] = /^refs\/(?:heads|tags)\/([^]+)$/.exec(fullName) ?? [];
  if (name === undefined || name === 'HEAD' || name === '@' || name.startsWith('-') || name.startsWith('refs/'))
    return false;
  if (/^([0-9a-f]{40}|[0-9a-f]{64})(\/|$)/i.test(name)) return false;
  return isValidRefName(fullName) && fitsOnDisk(name);
}

/** Namespaces of the service itself, and of git for one working tree: they cannot be pushed to, and are hidden. */
export const HIDDEN_NAMESPACES: readonly string[] = [
  'refs/keep-around',
  'refs/pipelines',
  'refs/environments',
  'refs/remote',
  'refs/tmp',
  'refs/bisect',
  'refs/rewritten',
  'refs/worktree',
];
const CLOSED_NAMESPACES = new Set([...HIDDEN_NAMESPACES, 'refs/heads', 'refs/tags', 'refs/merge-requests']);

/**
 * Whether a full name is that of a ref other than a branch or tag that users may push: `refs/notes/commits`,
 * `refs/changes/01/1/1`. Names follow `git check-ref-format`.
 */
export function isOtherRefName(fullName: string): boolean {
  const [refs, namespace, ...name] = fullName.split('/');
  if (refs !== 'refs' || namespace === undefined || name.length === 0) return false;
  return !CLOSED_NAMESPACES.has(`refs/${namespace}`) && isValidRefName(fullName) && fitsOnDisk(fullName);
}

/**
 * Whether a ref with this full name may be created: a branch or tag with an accepted name, or one of the other refs.
 */
export const mayCreateRef = (fullName: string): boolean => mayComeIn(fullName) || isOtherRefName(fullName);

/** {@link mayComeIn} for a branch by its short name. */
export function isValidBranchName(name: string): boolean {
  return mayComeIn(`refs/heads/${name}`);
}

/** {@link mayComeIn} for a tag by its short name. */
export function isValidTagName(name: string): boolean {
  return mayComeIn(`refs/tags/${name}`);
}

function fitsOnDisk(name: string): boolean {
  const fits = name.split('/').every((component) => Buffer.byteLength(component) <= longestComponent);
  return fits && Buffer.byteLength(name) <= longestName;
}
