/** The filter of this analysis, built from rows with a live count. */
import { Button, Checkbox } from 'antd';
import { useState } from 'react';

import { ConditionEditor } from '../../../fields/condition/condition-editor.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

export interface FilterDialogProps {
  /** What the rows start from. */
  start: string;
  /** A variable dropped on the slot: arrives as a new row. */
  add: string | null;
  onApply: (condition: string, everywhere: boolean) => void;
  onClose: () => void;
}

export function FilterDialog({ start, add, onApply, onClose }: FilterDialogProps) {
  const [formula, setFormula] = useState(start);
  const [everywhere, setEverywhere] = useState(false);
  return (
    <Dialog
      open
      title="筛选"
      width="wide"
      onClose={onClose}
      outsideCloses={false}
      footer={
        <>
          <Checkbox
            style={{ float: 'left', lineHeight: '32px' }}
            checked={everywhere}
            onChange={(event) => setEverywhere(event.target.checked)}
          >
            这份数据的其他分析也用
          </Checkbox>
          <Button onClick={() => onApply('', everywhere)} disabled={start === ''}>
            清除条件
          </Button>
          <Button type="primary" disabled={formula.trim() === ''} onClick={() => onApply(formula, everywhere)}>
            应用筛选
          </Button>
        </>
      }
    >
      <ConditionEditor value={formula} add={add} onChange={setFormula} />
    </Dialog>
  );
}
