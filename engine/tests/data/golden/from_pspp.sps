* A file as PSPP writes it: pspp from_pspp.sps. Read by test_sav.py.
DATA LIST LIST /id (F4.0) 性别 (F1.0) 收入 (F8.2) 城市 (A12) a1 a2 a3 (F1.0) d (DATE11).
BEGIN DATA
1 1 1200.50 北京 1 0 1 01-JAN-2024
2 2 -9 上海 0 1 0 15-FEB-2024
3 9 99 广州 0 0 1 29-FEB-2024
4 1 . 北京 1 1 1 31-DEC-2023
END DATA.
VARIABLE LABELS 性别 '您的性别' 收入 '月收入（元）'.
VALUE LABELS 性别 1 '男' 2 '女' 9 '拒答' /城市 '北京' '首都'.
MISSING VALUES 性别 (9) 收入 (-9 THRU -1, 99).
VARIABLE LEVEL 性别 (NOMINAL) a1 (ORDINAL) 收入 (SCALE).
MRSETS /MDGROUP NAME=$渠道 LABEL='知道的渠道' VARIABLES=a1 a2 a3 VALUE=1
 /MCGROUP NAME=$mc LABEL='multi' VARIABLES=a1 a2.
SAVE OUTFILE='from_pspp.sav'.
SAVE OUTFILE='from_pspp.zsav' /ZCOMPRESSED.
