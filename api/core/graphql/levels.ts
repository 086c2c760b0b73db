import { GraphQLError, Kind, Lexer, Source, TokenKind, visit } from 'graphql';
import type { DocumentNode, GraphQLFormattedError } from 'graphql';

/**
 * Maximum nesting levels of a query of any kind: fields, inline fragments, spreads, lists and objects. Far beyond what
 * the depth limit of fields allows, and far below what exhausts the stack of code that walks a query.
 */
const MOST_LEVELS = 100;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** The nesting depth of a text's brackets, up to its first invalid token. It is not parsed. */
function bracketLevels(query: string): number {
  const lexer = new Lexer(new Source(query));
  let [level, deepest] = [0, 0];
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (OPENING.has(token.kind)) deepest = Math.max(deepest, (level += 1));
      else if (CLOSING.has(token.kind)) level -= 1;
    }
  } catch (error) {
    // The parser reports the error.
    if (!(error instanceof GraphQLError)) throw error;
  }
  return deepest;
}

interface Definition {
  /** Levels of its own selections. */
  levels: number;
  /** The deepest level at which each fragment is spread. */
  readonly spreads: Map<string, number>;
}

/** The levels of each definition by itself; operations go by their position, which is no name. */
function getDefinitions(document: DocumentNode): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  for (const [position, node] of document.definitions.entries()) {
    const found: Definition = { levels: 0, spreads: new Map() };
    let level = 0;
    // It walks without recursion.
    visit(node, {
      SelectionSet: {
        enter() {
          level += 1;
          found.levels = Math.max(found.levels, level);
        },
        leave() {
          level -= 1;
        },
      },
      FragmentSpread({ name: { value } }) {
        found.spreads.set(value, Math.max(level, found.spreads.get(value) ?? 0));
      },
    });
    definitions.set(node.kind === Kind.FRAGMENT_DEFINITION ? node.name.value : String(position), found);
  }
  return definitions;
}

/** The levels of a document with its fragments expanded; cycles are left to the validation. */
function expandedLevels(document: DocumentNode): number {
  const definitions = getDefinitions(document);
  const depthByName = new Map<string, number>();
  const begun = new Set<string>();
  let deepest = 0;
  for (const first of definitions.keys()) {
    const waiting = [first];
    while (waiting.length > 0) {
      const name = waiting.at(-1)!;
      const { levels, spreads } = definitions.get(name)!;
      const unknown = [...spreads.keys()].filter(
        (one) => definitions.has(one) && !depthByName.has(one) && !begun.has(one),
      );
      if (!begun.has(name) && unknown.length > 0) {
        begun.add(name);
        waiting.push(...unknown);
        continue;
      }
      waiting.pop();
      const below = [...spreads].map(([one, level]) => level + (depthByName.get(one) ?? 0));
      depthByName.set(name, Math.max(levels, ...below));
      deepest = Math.max(deepest, depthByName.get(name)!);
    }
  }
  return deepest;
}

const tooDeep = (levels: number): GraphQLFormattedError | null =>
  levels > MOST_LEVELS ? { message: `Query has depth of ${levels}, which exceeds max depth of ${MOST_LEVELS}` } : null;

/** Why a text must not be parsed: parsers recurse. Null for one that may be. */
export const textTooDeep = (query: string): GraphQLFormattedError | null => tooDeep(bracketLevels(query));

/** Why a document must not be walked by what recurses into its fragments; null for one that may be. */
export const documentTooDeep = (document: DocumentNode): GraphQLFormattedError | null =>
  tooDeep(expandedLevels(document));
