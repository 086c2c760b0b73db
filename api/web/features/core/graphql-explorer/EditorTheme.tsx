import { useGraphiQL, useMonaco } from '@graphiql/react';
import { useEffect } from 'react';

const TRANSPARENT = '#ffffff00';

/**
 * Colors of the editor's own components by theme: copies of the values in `tokens.css`, which the editor cannot read.
 */
const COLOURS = {
  LIGHT: { surface: '#ffffff', sunken: '#f2f2f0', ink: '#1b1d21', accent: '#0b6a71', soft: '#e3f1f1' },
  DARK: { surface: '#191c1f', sunken: '#22262a', ink: '#e8eaec', accent: '#63c7cd', soft: '#16363a' },
} as const;

type Theme = keyof typeof COLOURS;

function getColours(theme: Theme): Record<string, string> {
  const { surface, sunken, ink, accent, soft } = COLOURS[theme];
  return {
    'editor.background': TRANSPARENT,
    'scrollbar.shadow': TRANSPARENT,
    focusBorder: accent,
    'textLink.foreground': accent,
    'textLink.activeForeground': accent,
    'editorLink.activeForeground': accent,
    'editorLineNumber.foreground': theme === 'LIGHT' ? '#575b62' : '#a4aab1',
    'editorHoverWidget.background': surface,
    'editorWidget.background': surface,
    'editorSuggestWidget.background': surface,
    'editorSuggestWidget.foreground': ink,
    'editorSuggestWidget.selectedBackground': soft,
    'editorSuggestWidget.selectedForeground': ink,
    'editorSuggestWidget.highlightForeground': accent,
    'editorSuggestWidget.focusHighlightForeground': accent,
    'list.hoverBackground': sunken,
    'list.highlightForeground': accent,
    'list.focusHighlightForeground': accent,
    'menu.background': surface,
    'menu.selectionBackground': soft,
    'menu.selectionForeground': ink,
    'quickInput.background': surface,
    'quickInputList.focusBackground': soft,
    'quickInputList.focusForeground': ink,
    'input.background': sunken,
    'toolbar.hoverBackground': sunken,
  };
}

/** The editor measures its glyphs, so its font has to be configured. Copies of the values in `tokens.css`. */
const LETTERS = {
  fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSize: 13,
  lineHeight: 20,
  // Long lines are readable without horizontal scrolling.
  wordWrap: 'on',
} as const;

/** Gives the editors the colours and letters of these pages. */
export function EditorTheme() {
  const editors = useGraphiQL(({ queryEditor, variableEditor, headerEditor, responseEditor }) => [
    queryEditor,
    variableEditor,
    headerEditor,
    responseEditor,
  ]);
  useEffect(() => {
    for (const editor of editors) editor?.updateOptions(LETTERS);
  }, [editors]);
  const monaco = useMonaco(({ monaco }) => monaco);
  useEffect(() => {
    for (const theme of ['LIGHT', 'DARK'] as const)
      monaco?.editor.defineTheme(`graphiql-${theme}`, {
        base: theme === 'LIGHT' ? 'vs' : 'vs-dark',
        inherit: true,
        colors: getColours(theme),
        rules: [
          { token: 'argument.identifier.gql', foreground: theme === 'LIGHT' ? '4f3fb0' : 'b3adff' },
          { token: 'comment', foreground: theme === 'LIGHT' ? '17702f' : '6cc783' },
        ],
      });
  }, [monaco]);
  return null;
}
