import { Button, Modal } from 'antd';

import { useParseFormat } from './parse-format.ts';
import styles from './parse-format-dialog.module.css';

/** The question how the cells of a text are read; stands once on the data page. */
export function ParseFormatDialog() {
  const asked = useParseFormat((state) => state.asked);
  const close = () => useParseFormat.setState({ asked: null });
  return (
    <Modal
      open={asked !== null}
      title={asked?.title}
      width={420}
      footer={null}
      mask={{ blur: false }}
      closable={{ 'aria-label': '关闭' }}
      onCancel={close}
    >
      <p>{asked?.text}</p>
      <div className={styles['choices']}>
        {asked?.ways.map(({ key, title, example }) => (
          <Button
            key={key}
            block
            className={styles['way']}
            onClick={() => {
              close();
              asked.answer(key);
            }}
          >
            {title}
            {example ? `（${example}）` : ''}
          </Button>
        ))}
      </div>
    </Modal>
  );
}
