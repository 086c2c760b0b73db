/**
 * The syntax of a kind of reference. It is plain data, so that it can be sent to threads, and so that core, which finds
 * references in texts, does not depend on any area.
 */
export interface ReferenceSyntax {
  /** `issue`; also the class of links, `gfm-issue`. */
  readonly kind: string;
  /** The prefix of the name: `#`, `@`, `~`. Left out for commit ids, which have none. */
  readonly sigil?: string;
  /** The possible names after the sigil: `12`, `bug`, `"two words"`, `group/sub`, `1a2b3c4`. */
  readonly nameForms: readonly NameForm[];
  /** Whether the path of a project or group may precede it: `group/project#1`. */
  readonly prefixed: boolean;
  /** So many in one text become links; further ones stay as they were written. Left out where only all references count. */
  readonly most?: number;
  /** In the URL of one: `issues` in `/group/project/-/issues/1`. */
  readonly routes?: readonly string[];
}

export type NameForm = 'number' | 'word' | 'quoted' | 'path' | 'sha';

/** A possible reference as it occurs in a text. Whether it resolves, and for which callers, is not known yet. */
export interface Candidate {
  readonly kind: string;
  /** The path before the sigil, or before `/-/` in a URL; null for the container of the text. */
  readonly path: string | null;
  /** Number, word, text without its quotes, path or id. */
  readonly name: string;
  readonly by: NameForm;
  /** The other end of a range of commits. */
  readonly to?: string;
  /** The HTML to show if this does not become a link. */
  readonly html: string;
  /** Written as a URL, with its own link text as HTML or without. */
  readonly link?: { readonly html: string | null };
}

/** A text rendered independently of the viewer: `html[0] candidates[0] html[1] …`. */
export interface Rendered {
  readonly html: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** The kinds of references to find in a text. */
export interface Marks {
  readonly syntaxes: readonly ReferenceSyntax[];
  /** What URLs of this service begin with, without a slash at the end. */
  readonly base: string;
}
