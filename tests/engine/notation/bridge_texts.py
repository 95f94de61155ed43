"""Bridge files as the programs of this world write them: made up, but true to their habits."""

COMPOSER = """% PBN 2.1
% EXPORT
%Content-type: text/x-pbn; charset=ISO-8859-1
%Creator: BridgeComposer Version 5.84
%Created: Tue Mar 05 21:14:09 2019
%BCOptions Float Justify NoHRStats STBorder STShade ShowHCP
%BoardsPerPage fit,2
%CardSpacing 11 5
%DDOptions 0
%Font:CardTable "Arial",11,400,0
%Font:Commentary "Times New Roman",12,400,0
%GutterH 500
%HRTitleEvent "Evening \\"B\\" session"
%Margins 1000,1000,500,750
%PipColors #000000,#ff0000,#ff0000,#000000
%PipFont "Symbol","Symbol"
%Translate "Dealer","Gever"

[Event "Evening session"]
[Site "Delft"]
[Date "2019.03.05"]
[Board "1"]
[West "Bakker"]
[North "Visser"]
[East "Smit"]
[South "Meijer"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:T953.A7.K8652.T9 A84.K852.JT4.KJ8 KJ62.JT43.A7.A53 Q7.Q96.Q93.Q7642"]
[Scoring "MP"]
[Declarer "S"]
[Contract "3S"]
[Result "9"]
{A <b>thin</b> raise; the line % is not an escape.
% nor is this

After a blank line the comment goes on: [not a tag]
}
[Auction "N"]
Pass Pass 1D =1= Pass
1S Pass 2S =2= Pass
3S AP
[Note "1:could be short"]
[Note "2:four \\"cards\\""]
[Play "W"]
C4 C9 CK CA
CQ CT C8 C3
{ruffs}
DQ DK D4 D7
*
[BCFlags "1f"]
[DoubleDummyTricks "77868778687788877888"]
[Hidden "EW"]
[OptimumScore "NS 110"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 7
N S 8
E NT 6

[Event "#"]
[Site "#"]
[Date "#"]
[Board "2"]
[West "?"]
[North "?"]
[East "?"]
[South "?"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "E:A84.K852.JT4.KJ8 KJ62.JT43.A7.A53 Q7.Q96.Q93.Q7642 T953.A7.K8652.T9"]
[Scoring "#"]
[Declarer ""]
[Contract ""]
[Result ""]
[BCFlags "17"]
[Auction ""]
[Play ""]
"""

DOUBLE_DUMMY = """[Event "DD analysis"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:T953.A7.K8652.T9 A84.K852.JT4.KJ8 KJ62.JT43.A7.A53 Q7.Q96.Q93.Q7642"]
[Ability "N:76787 E:56565 S:76787 W:56565"]
[Minimax "3DN110"]
[DoubleDummyTricks "*********************"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 7
N  S 8
N  H 7
E NT 5
[OptimumPlayTable "S;W;N;E"]
- - - -

[Board "2"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "E:A84.K852.JT4.KJ8 KJ62.JT43.A7.A53 Q7.Q96.Q93.Q7642 T953.A7.K8652.T9"]
[ScoreTable "Rank\\4R;Contract\\5L;+Score_NS\\6R;-IMP_NS\\5.1R;Names\\40L"]
1 3NT= +400 2.5 "Jansen & Pietersen - de Wit"
2 "4S x" -100 ^-2.5 "?"
- ? - - -
"""

ONLINE = """[Event "Main Bridge Club"]
[Site "bridgebase.com"]
[Date "2021.02.30"]
[Board "17"]
[West "~~m2415"]
[North "jan_1952"]
[East "~~m2416"]
[South "x.y;z"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:T953.A7.K8652.T9 A84.K852.JT4.KJ8 KJ62.JT43.A7.A53 Q7.Q96.Q93.Q7642"]
[Scoring "IMP"]
[Declarer "^N"]
[Contract "1NTX"]
[Result "^7"]
[Score "NS -50"]
[ScoreIMP "EW 3.5"]
[Auction "N"]
Pass Pass 1C! 1D?!
X !! =1= ^I 1H $3 $14 ^S - P
1NT\tD\tRD\tAll Pass
+
[Note "1:negative: 4+ hearts"]
[Play "E"]
S2 s3 SA ^L SJ
hK H2 H3 - $7
+
[Note "1:low = even"]

[Contract "1N"]
[Result "EW 9"]
[Event ""]
[Auction "S"]
1N AP
*
"""

DEALER = """[Deal "W:A84.K852.JT4.KJ8 KJ62.JT43.A7.A53 Q7.Q96.Q93.Q7642 T953.A7.K8652.T9"]

[Deal "N:- - - -"]
[Dealer "?"]
[Declarer "?"]
[Contract "?"]
[Result "?"]

[Generator "Big Deal version 1.2"]
[Vulnerable "Love"]

[Deal "N:T953.A7.K8652.T9 - KJ62.JT43.A7.A53 -"]
"""

LAX = """; a file by hand
[event "x"][site "y"]  \t [Date
"2001.01.01"
] [Board "1"] { on the line of a tag }
[Deal
\t"N:t953.a7.k8652.t9 - - -"
]
[Dealer "n"]; the dealer
[Auction "n"] 1c pass\tPASS 1s
  2S\tAP
[Play "w"] c4 c9 {!} ck
\t ca
[Unknown "section"]
with "a string" and =1= 12,5 a.b <x> ~
"""

SHARED_VALUES = """[Event "##Autumn cup"]
[Site "Delft"]
[Board "1"]

[Event "#"]
[Site "#"]
[Board "2"]

[Board "3"]
[Site "##Leiden"]

[Board "4"]
[Event "Final"]

[Board "5"]
"""

JUNK = """pn|one,two,three,four|st||md|1SA84HK852,SKJ62H,|rh||ah|Board 1|
mb|p|mb|1C|an|natural|
[Event "after the junk"]
[Board "1"]
"""

CLEAN = {
    "composer": COMPOSER,
    "double dummy": DOUBLE_DUMMY,
    "online": ONLINE,
    "dealer": DEALER,
    "lax": LAX,
    "values": SHARED_VALUES,
}
