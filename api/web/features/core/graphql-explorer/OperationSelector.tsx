import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef } from 'react';

/** Chooses the operation that the address names, once the editor has read the document. */
export function OperationSelector({ name }: { name: string }) {
  const { setOperationName } = useGraphiQLActions();
  const { editor, operations } = useGraphiQL((state) => ({
    editor: state.queryEditor,
    operations: state.operations,
  }));
  const chosen = useRef(false);
  useEffect(() => {
    const operation = operations?.find((one) => one.name?.value === name);
    const model = editor?.getModel();
    if (chosen.current || !operation?.loc || !editor || !model) return;
    chosen.current = true;
    // The keyboard shortcut runs the operation at the cursor.
    editor.setPosition(model.getPositionAt(operation.loc.start));
    setOperationName(name);
  }, [editor, name, operations, setOperationName]);
  return null;
}
