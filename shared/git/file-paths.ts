const longestPath = 4096;
const longestComponent = 255;

// What some file system takes for ".git": HFS+ ignores these characters, NTFS knows the short name,
// trailing dots and spaces, and streams.
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const dotGitOnSomeSystem = /^(\.git|git~1)[ .]*(:.*)?$/i;

/**
 * Whether a path may name a file in a repository: relative, clean, without `.`, `..`, control characters or anything
 * that a checkout on some system would take for its own `.git` folder.
 */
export function isValidFilePath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (path === '' || /[\x00-\x1f\x7f]/.test(path) || Buffer.byteLength(path) > longestPath) return false;
  return path.split('/').every(isValidComponent);
}

function isValidComponent(component: string): boolean {
  if (component === '' || Buffer.byteLength(component) > longestComponent) return false;
  // Windows reads a backslash as one more separator.
  return component.split('\\').every((part) => part !== '.' && part !== '..' && !isDotGit(part));
}

function isDotGit(part: string): boolean {
  return dotGitOnSomeSystem.test(part.replace(ignoredByHfs, ''));
}

/** The folders above a path, outermost first: `a/b/c` has `a` and `a/b`. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
