import { autocompletion } from '@codemirror/autocomplete';
import { yaml, yamlLanguage } from '@codemirror/lang-yaml';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import type { Extension, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { indentWithTab } from '@codemirror/commands';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTheme } from '../../../ui/theme.js';
import { completeKeyword } from './complete-keyword.js';
import { editorTheme } from './editor-theme.js';
import styles from './PipelineEditor.module.css';
import type { LintFinding } from './queries.js';

/** What the page does with an open editor. */
export interface EditorHandle {
  /** Moves the cursor to a line, from 1, and the focus to the editor. */
  goToLine: (line: number, column: number) => void;
}

interface YamlEditorProps {
  /** Name for screen readers. */
  label: string;
  /** The text when it opens. */
  initial: string;
  readOnly: boolean;
  /** Errors and warnings with positions in this text. */
  findings: readonly LintFinding[];
  /** The text that the findings are about: they are not displayed in another one. */
  checkedText: string | null;
  onChange: (text: string) => void;
  /** Called with the open editor, and with null once it is closed. */
  onOpen: (handle: EditorHandle | null) => void;
}

/** Position of a line and column, both from 1, within the text. */
function getPosition(doc: Text, line: number, column: number): { from: number; to: number } {
  const { from, to, length } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return { from: from + Math.min(Math.max(column - 1, 0), length), to };
}

function toDiagnostics(doc: Text, findings: readonly LintFinding[]): Diagnostic[] {
  return findings.flatMap(({ severity, message, line, column }) =>
    line === null ? [] : [{ ...getPosition(doc, line, column ?? 1), severity, message }],
  );
}

/** A file keeps the ends of lines that it has. */
const getLineSeparator = (text: string): Extension =>
  text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text) ? EditorState.lineSeparator.of('\r\n') : [];

const LEAVING = 'Press Escape, then Tab to leave the editor.';

const getExtensions = ({ label, initial, readOnly }: YamlEditorProps): Extension => [
  basicSetup,
  keymap.of([indentWithTab]),
  yaml(),
  yamlLanguage.data.of({ autocomplete: completeKeyword }),
  autocompletion({ icons: false }),
  lintGutter(),
  getLineSeparator(initial),
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({
    'aria-label': label,
    ...(readOnly ? {} : { 'aria-description': LEAVING }),
    // An element that scrolls must contain one that takes the focus by an attribute.
    tabindex: '0',
    spellcheck: 'false',
    autocapitalize: 'off',
  }),
];

/**
 * CodeMirror in a shadow tree, where its styles are constructed style sheets: style elements, which it writes into a
 * document, are excluded by the content security policy of the pages.
 */
export default function YamlEditor(props: YamlEditorProps) {
  const { findings, checkedText } = props;
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const isDark = useTheme() === 'dark';
  const [themeSlot] = useState(() => new Compartment());
  const change = useEffectEvent((text: string) => props.onChange(text));
  const open = useEffectEvent((handle: EditorHandle | null) => props.onOpen(handle));
  const begin = useEffectEvent((root: ShadowRoot) => {
    const listener = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) change(state.sliceDoc());
    });
    const extensions = [themeSlot.of(editorTheme(isDark)), getExtensions(props), listener];
    return new EditorView({ root, parent: root, state: EditorState.create({ doc: props.initial, extensions }) });
  });
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const opened = begin(element.shadowRoot ?? element.attachShadow({ mode: 'open' }));
    setView(opened);
    return () => opened.destroy();
  }, []);
  useEffect(() => {
    view?.dispatch({ effects: themeSlot.reconfigure(editorTheme(isDark)) });
  }, [view, themeSlot, isDark]);
  useEffect(() => {
    if (view && view.state.sliceDoc() === checkedText)
      view.dispatch(setDiagnostics(view.state, toDiagnostics(view.state.doc, findings)));
  }, [view, findings, checkedText]);
  useEffect(() => {
    if (!view) return undefined;
    open({
      goToLine(line, column) {
        const { from } = getPosition(view.state.doc, line, column);
        view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
        view.focus();
      },
    });
    return () => open(null);
  }, [view]);
  return <div ref={host} className={styles.editor} data-editor />;
}
