* What PSPP makes of survey.sav, written by our export: pspp -O format=csv -o survey.pspp.csv survey.sps.
GET FILE='survey.sav'.
DISPLAY DICTIONARY.
MRSETS /DISPLAY NAME=ALL.
DESCRIPTIVES q1 inc.
FREQUENCIES 性别 学历.
LIST.
