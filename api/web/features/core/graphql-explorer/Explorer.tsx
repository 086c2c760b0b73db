// oxlint-disable-next-line import/no-unassigned-import -- says where the editor finds its workers
import 'graphiql/setup-workers/vite';
import '@graphiql/react/style.css';
import 'graphiql/graphiql.css';
import '@graphiql/plugin-doc-explorer/style.css';
import './graphiql.css';
import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import { useQueryClient } from '@tanstack/react-query';
import { GraphiQL } from 'graphiql';
import { Link2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTheme } from '../../../ui/theme.js';
import { sessionQuery } from '../../../data/session.js';
import { getAddress, beginOf, FIRST_QUERY, keepHeaders } from './begin.js';
import { EditorTheme } from './EditorTheme.js';
import styles from './Explorer.module.css';
import { OperationSelector } from './OperationSelector.js';
import { sender } from './send.js';

/** The editor's built-in history would store the headers of each query, including tokens. */
const NO_MORE: never[] = [];

/** The editor, as it is loaded with this page alone. */
export default function Explorer() {
  const theme = useTheme();
  const queries = useQueryClient();
  const [begin] = useState(() => beginOf(location.search));
  const [message, setMessage] = useState('');
  const send = useMemo(
    () =>
      sender(
        ({ status, ms }) => setMessage(status === null ? 'No response' : `Status ${status} in ${ms} ms`),
        () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      ),
    [queries],
  );
  return (
    <GraphiQL
      fetcher={send}
      defaultQuery={FIRST_QUERY}
      initialQuery={begin.query}
      initialVariables={begin.variables}
      initialHeaders={begin.headers}
      onEditHeaders={keepHeaders}
      shouldPersistHeaders={false}
      plugins={NO_MORE}
      inputValueDeprecation
      forcedTheme={theme}
      defaultEditorToolsVisibility
    >
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
      <GraphiQL.Toolbar>
        {({ prettify, merge, copy }) => (
          <>
            {prettify}
            {merge}
            {copy}
            <LinkButton said={setMessage} />
          </>
        )}
      </GraphiQL.Toolbar>
      <GraphiQL.Footer>
        <output className={styles.said}>{message}</output>
      </GraphiQL.Footer>
      <EditorTheme />
      {begin.operationName && <OperationSelector name={begin.operationName} />}
    </GraphiQL>
  );
}

/** Writes the editors' contents to the address, which can be shared or bookmarked. */
function LinkButton({ said }: { said: (message: string) => void }) {
  const { query, variables, operationName } = useGraphiQL((state) => ({
    query: state.queryEditor,
    variables: state.variableEditor,
    operationName: state.operationName,
  }));
  const link = () => {
    const address = getAddress(query?.getValue() ?? '', variables?.getValue() ?? '', operationName);
    history.replaceState(null, '', address);
    said('The page URL now includes this query.');
  };
  return (
    <ToolbarButton label="Add the query to the URL" onClick={link}>
      <Link2 className="graphiql-toolbar-icon" aria-hidden />
    </ToolbarButton>
  );
}
