import type { Language } from 'linguist-languages';

interface LanguageIndex {
  byName: Map<string, Language>;
  byFile: Map<string, Language>;
  byExtension: Map<string, Language>;
  /** By what runs a script: `bash`, `python3`. */
  byInterpreter: Map<string, Language>;
  /** By name or alias in small letters, with hyphens for spaces. */
  byAlias: Map<string, Language>;
  /** Dots of the longest extension; the name of a file may have any number. */
  mostDots: number;
}

/** Who has an extension that several languages claim as theirs. */
const PREFERRED: Record<string, string> = {
  '.md': 'Markdown',
  '.txt': 'Text',
  '.yaml': 'YAML',
  '.asc': 'AsciiDoc',
  '.pc': 'pkg-config',
  '.plist': 'XML Property List',
  '.asm': 'Assembly',
  '.bas': 'BASIC',
  '.lean': 'Lean 4',
  '.ml': 'OCaml',
  '.scm': 'Scheme',
  '.h': 'C',
  '.m': 'Objective-C',
  '.ts': 'TypeScript',
  '.tsx': 'TSX',
  '.pl': 'Perl',
  '.t': 'Perl',
  '.rs': 'Rust',
  '.php': 'PHP',
  '.cs': 'C#',
  '.fs': 'F#',
  '.v': 'Verilog',
  '.r': 'R',
  '.sql': 'SQL',
  '.inc': 'PHP',
  '.cls': 'Apex',
  '.html': 'HTML',
  '.cl': 'OpenCL',
  '.d': 'D',
  '.e': 'Eiffel',
  '.f': 'Fortran',
  '.ex': 'Elixir',
  '.l': 'Lex',
  '.lsp': 'Common Lisp',
  '.mod': 'Modula-2',
  '.pp': 'Puppet',
  '.pro': 'Prolog',
  '.s': 'Assembly',
  '.sc': 'Scala',
  '.st': 'Smalltalk',
  '.gs': 'JavaScript',
  '.yy': 'Yacc',
};

/** What programs and pages are written in; data and prose are no language of a project. */
export const isCode = ({ type }: Language) => type === 'programming' || type === 'markup';

/** The name under which a language is counted: its parent language if it has one, such as TypeScript for TSX. */
export const countedLanguage = ({ name, group }: Language) => group ?? name;

const toAlias = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function collect(languages: readonly Language[]): LanguageIndex {
  const byName = new Map<string, Language>(languages.map((language) => [language.name, language]));
  const byFile = new Map<string, Language>();
  const byExtension = new Map<string, Language>();
  const byInterpreter = new Map<string, Language>();
  const byAlias = new Map<string, Language>();
  const claim = (extension: string, language: Language) => {
    const key = extension.toLowerCase();
    if (!byExtension.has(key)) byExtension.set(key, language);
  };
  for (const [extension, name] of Object.entries(PREFERRED)) {
    const language = byName.get(name);
    if (language) claim(extension, language);
  }
  // A language's first extension is its own; the others it shares.
  for (const language of languages) if (language.extensions?.[0]) claim(language.extensions[0], language);
  for (const language of languages) {
    for (const extension of language.extensions ?? []) claim(extension, language);
    for (const name of language.filenames ?? []) byFile.set(name, language);
    for (const name of language.interpreters ?? []) if (!byInterpreter.has(name)) byInterpreter.set(name, language);
    for (const alias of language.aliases ?? []) byAlias.set(toAlias(alias), language);
  }
  for (const [name, shell] of [
    ['sh', 'Shell'],
    ['perl', 'Perl'],
    ['node', 'JavaScript'],
  ] as const)
    byInterpreter.set(name, byName.get(shell) as Language);
  for (const language of languages) byAlias.set(toAlias(language.name), language);
  const mostDots = Math.max(...[...byExtension.keys()].map((extension) => extension.split('.').length - 1));
  return { byName, byFile, byExtension, byInterpreter, byAlias, mostDots };
}

let index: Promise<LanguageIndex> | null = null;

/** Linguist's languages, loaded on first use: seven hundred small modules. */
function languages(): Promise<LanguageIndex> {
  index ??= import('linguist-languages').then((all) => collect(Object.values(all) as Language[]));
  return index;
}

/** The extensions of a file name from the longest: `.d.ts`, `.ts`. */
function getExtensions(name: string, mostDots: number): string[] {
  const extensions: string[] = [];
  for (let at = name.lastIndexOf('.'); at >= 0 && extensions.length < mostDots; at = name.lastIndexOf('.', at - 1)) {
    extensions.unshift(name.slice(at).toLowerCase());
    if (at === 0) break;
  }
  return extensions;
}

/** Number of characters of the first line to inspect. */
const FIRST_LINE = 512;

const getBase = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The interpreter: `#!/usr/bin/env -S python3.12 -u` yields `python3.12`; null without one. */
function getInterpreter(text: string): string | null {
  const [line = ''] = text.slice(0, FIRST_LINE).split('\n', 1);
  if (!line.startsWith('#!')) return null;
  const [program = '', ...rest] = line.slice(2).trim().split(/\s+/);
  if (getBase(program) !== 'env') return getBase(program) || null;
  const command = rest.find((word) => !word.startsWith('-') && !word.includes('='));
  return command === undefined ? 'env' : getBase(command) || null;
}

/** `python3.12` to `python`. */
function withoutVersion(name: string): string {
  let end = name.length;
  while (end > 0 && '0123456789.'.includes(name.charAt(end - 1))) end -= 1;
  return name.slice(0, end);
}

/** Looks up the languages of files; null if there is none. */
export interface LanguageFinder {
  /** By the name of the file. */
  ofPath(path: string): Language | null;
  /** By the first line of a script. */
  ofScript(text: string): Language | null;
  /** By its name or an alias, as people write it. */
  byName(name: string): Language | null;
}

/** Recognises languages, data and prose among them. */
export async function languageFinder(): Promise<LanguageFinder> {
  const { byFile, byExtension, byInterpreter, byAlias, mostDots } = await languages();
  return {
    ofPath(path) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const extension = getExtensions(name, mostDots).find((candidate) => byExtension.has(candidate));
      return byFile.get(name) ?? (extension === undefined ? null : (byExtension.get(extension) ?? null));
    },
    ofScript(text) {
      const interpreter = getInterpreter(text);
      if (interpreter === null) return null;
      return byInterpreter.get(interpreter) ?? byInterpreter.get(withoutVersion(interpreter)) ?? null;
    },
    byName: (name) => byAlias.get(toAlias(name)) ?? null,
  };
}

/** Display colors of languages, `#rrggbb`; null for a language without one. */
export async function languageColors(): Promise<(name: string) => string | null> {
  const { byName } = await languages();
  return (name) => byName.get(name)?.color ?? null;
}
