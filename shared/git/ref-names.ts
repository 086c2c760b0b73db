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
 * Whether a branch or tag of this full name (`refs/heads/main`) may come in: the one rule of every door, be it the API,
 * an import, a mirror or a fork. Stricter than git: never an option (`-x`), `HEAD`, a name that looks like a full ref
 * or like a commit's id, which would be taken for what it looks like, nor one too long for a file name.
 */
export function mayComeIn(fullName: string): boolean {
  const [, name] = /^refs\/(?:heads|tags)\/([^]+)$/.exec(fullName) ?? [];
  if (name === undefined || name === 'HEAD' || name === '@' || name.startsWith('-') || name.startsWith('refs/'))
    return false;
  if (/^([0-9a-f]{40}|[0-9a-f]{64})(\/|$)/i.test(name)) return false;
  return isValidRefName(fullName) && fitsOnDisk(name);
}

/** Namespaces of the service itself, and of git for one working tree: nobody pushes there, and nobody sees them. */
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
 * Whether a full name is of a ref that is neither branch nor tag, and that whoever pushes may keep here:
 * `refs/notes/commits`, `refs/changes/01/1/1`. Names are those of `git check-ref-format`.
 */
export function isOtherRefName(fullName: string): boolean {
  const [refs, namespace, ...name] = fullName.split('/');
  if (refs !== 'refs' || namespace === undefined || name.length === 0) return false;
  return !CLOSED_NAMESPACES.has(`refs/${namespace}`) && isValidRefName(fullName) && fitsOnDisk(fullName);
}

/** Whether a ref of this full name may be made: a branch or tag whose name may come in, or one of the others. */
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
