/** Reserved top-level paths: the service's own pages use them. */
const RESERVED_TOP_LEVEL = new Set([
  '-',
  '.well-known',
  '404.html',
  '422.html',
  '500.html',
  '502.html',
  '503.html',
  'admin',
  'api',
  'apple-touch-icon.png',
  'assets',
  'dashboard',
  'deploy.html',
  'explore',
  'favicon.ico',
  'favicon.png',
  'files',
  'groups',
  'health_check',
  'help',
  'import',
  'jwt',
  'login',
  'metrics',
  'oauth',
  'profile',
  'projects',
  'public',
  'robots.txt',
  's',
  'search',
  'sitemap',
  'sitemap.xml',
  'sitemap.xml.gz',
  'slash-command-logo.png',
  'snippets',
  'unsubscribes',
  'uploads',
  'users',
  'v2',
]);

/** Reserved paths inside a namespace. */
const RESERVED_NESTED = new Set([
  '-',
  'badges',
  'blame',
  'blob',
  'builds',
  'commits',
  'create',
  'create_dir',
  'edit',
  'environments/folders',
  'files',
  'find_file',
  'gitlab-lfs/objects',
  'info/lfs/objects',
  'new',
  'preview',
  'raw',
  'refs',
  'tree',
  'update',
  'wikis',
]);

const PATH = /^[a-zA-Z0-9_.][a-zA-Z0-9_.-]*$/;

const isPath = (text: string) => PATH.test(text) && !/(\.git|\.atom|\.)$/i.test(text);

/** The problem with a path segment of a group, project or user, or null (core-resources.md sections 1, 3). */
export function pathProblem(path: string, where: 'top' | 'nested'): string | null {
  if (path === '') return "can't be blank";
  if (path.length > 255) return 'is too long (maximum is 255 characters)';
  if (!isPath(path))
    return "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', end in '.', '.git' or '.atom'.";
  const reserved = where === 'top' ? RESERVED_TOP_LEVEL : RESERVED_NESTED;
  return reserved.has(path.toLowerCase()) ? `${path} is a reserved name` : null;
}

/** Letters that decompose into no plain one with a mark. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};

/**
 * The path that a name gives when none is sent, in small letters without accents: `My Project` to `my-project`. What
 * could be a path stays as it is; in other names everything but letters, digits and `_` becomes a dash.
 */
export function pathFromName(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => PLAIN[letter] ?? '-');
  if (isPath(plain)) return plain;
  return plain
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
}
