/**
 * How a kind of reference is written. It is data, so that threads can be told, and so that core, which finds references
 * in texts, knows no area.
 */
export interface ReferenceSyntax {
  /** `issue`; also the class of links, `gfm-issue`. */
  readonly kind: string;
  /** What stands before the name: `#`, `@`, `~`. Left out for the ids of commits, which are written by themselves. */
  readonly sigil?: string;
  /** What may stand behind the sigil: `12`, `bug`, `"two words"`, `group/sub`, `1a2b3c4`. */
  readonly nameForms: readonly NameForm[];
  /** Whether the path of a project or group may stand before it: `group/project#1`. */
  readonly prefixed: boolean;
  /** So many in one text become links; further ones stay as they were written. Left out where only all references count. */
  readonly most?: number;
  /** In the URL of one: `issues` in `/group/project/-/issues/1`. */
  readonly routes?: readonly string[];
}

export type NameForm = 'number' | 'word' | 'quoted' | 'path' | 'sha';

/** What may be a reference, as a text has it. Whether it leads anywhere, and for whom, is not known yet. */
export interface Candidate {
  readonly kind: string;
  /** What stands before the sigil, or in the URL before `/-/`; null for "where the text is". */
  readonly path: string | null;
  /** Number, word, text without its quotes, path or id. */
  readonly name: string;
  readonly by: NameForm;
  /** The other end of a range of commits. */
  readonly to?: string;
  /** What the text shows where this is no link, as HTML. */
  readonly html: string;
  /** Written as a URL, with words of its own as HTML or without. */
  readonly link?: { readonly html: string | null };
}

/** A text that is rendered for nobody yet: `html[0] candidates[0] html[1] …`. */
export interface Rendered {
  readonly html: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** What references are looked for in a text. */
export interface Marks {
  readonly syntaxes: readonly ReferenceSyntax[];
  /** What URLs of this service begin with, without a slash at the end. */
  readonly base: string;
}
